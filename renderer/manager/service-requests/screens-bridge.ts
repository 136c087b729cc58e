// Answers the manager's requests about screens in a browser at a content service: by version 3 of the service itself.

import { screenCalls } from "../../../server/contract/screens-client/screen-calls.ts";
import { createScreenService } from "../../../server/contract/screens-client/screen-service.ts";
import { downloadContent } from "../saved-files/saved-text.ts";
import { ownServiceId } from "./own-service.ts";
import { serviceAccess } from "./service-requests.ts";

/** What `String.fromCharCode` takes at once without exhausting the stack. */
const charactersAtOnce = 8_192;

export function createScreensBridge(): ReturnType<typeof screenCalls> {
  const service = createScreenService(() => Promise.resolve(serviceAccess), {
    now: Date.now,
    // A task of its own: what the person does comes first.
    nextTurn: () => new Promise((resolve) => setTimeout(resolve)),
    base64,
  });
  const { host, origin } = location;
  return screenCalls(
    () => Promise.resolve([{ id: ownServiceId, name: host, address: origin }]),
    () => service,
    (name, bytes) => {
      downloadContent(name, new Uint8Array(bytes));
      return Promise.resolve({ path: name });
    },
  );
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += charactersAtOnce)
    text += String.fromCharCode(...bytes.subarray(at, at + charactersAtOnce));
  return btoa(text);
}
