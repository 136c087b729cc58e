// Uploads one file with its progress, which `fetch` does not report.

import { managerHeader } from "../../../server/contract/v2/manager-header.ts";
import type { ResponseText } from "../../../server/contract/v2/operations/operation-client.ts";
import { t } from "../../locales/messages.ts";
import type { OnBytes } from "./player-transport.ts";

/** Rejects only when the player cannot be reached. */
export function postFile(
  path: string,
  part: {
    readonly field: string;
    readonly file: File;
    readonly onBytes: OnBytes;
  },
): Promise<ResponseText> {
  const { field, file, onBytes } = part;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader(managerHeader.name, managerHeader.value);
    request.upload.onprogress = ({ loaded }) => {
      // The body is a little longer than the file.
      onBytes(Math.min(loaded, file.size), file.size);
    };
    request.onload = () => {
      resolve({
        status: request.status,
        contentType: request.getResponseHeader("content-type"),
        text: request.responseText,
      });
    };
    request.onerror = () => {
      reject(new Error(t("manager.noResponse")));
    };
    const form = new FormData();
    form.set(field, file);
    request.send(form);
  });
}
