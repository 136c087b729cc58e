// Technical data of an asset's file, and replacing the file.

import { Button } from "@mantine/core";
import { IconReplace } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { AssetView } from "../../../server/contract/ipc/ipc.ts";
import { runJobs } from "../uploads/jobs.ts";
import { FileChoice } from "../components/controls/FileChoice.tsx";
import {
  notifySuccess,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { noteFinal } from "../undo.ts";
import { ReplaceAddress } from "./ReplaceAddress.tsx";

export function FileFacts({ asset }: { readonly asset: AssetView }): ReactNode {
  const replace = async (file: File): Promise<void> => {
    await runJobs([file], {
      takeIn: (path, job) =>
        window.manager.replaceFile({ assetId: asset.id, path, job }),
      finish: () => Promise.resolve(),
      whenIn: ([replaced]) => {
        if (!replaced) return;
        const sentence = t("inspector.replaced", { name: replaced.name });
        noteFinal(sentence);
        notifySuccess(sentence);
      },
    });
  };
  return (
    <>
      <dl className="facts">
        <Fact name={t("inspector.type")} value={asset.mimetype} />
        {asset.sizeBytes === null ? null : (
          <Fact
            name={t("inspector.size")}
            value={formats.size(asset.sizeBytes)}
          />
        )}
        {asset.lengthSeconds === null ? null : (
          <Fact
            name={t("inspector.length")}
            value={formats.length(asset.lengthSeconds)}
          />
        )}
        <Fact name={t("inspector.identifier")} value={asset.id} />
      </dl>
      {asset.fileUrl === null ? (
        <ReplaceAddress asset={asset} />
      ) : (
        <>
          <FileChoice
            onFiles={([file]) => {
              replace(file).catch(notifyInternalError);
            }}
          >
            {(props) => (
              <Button
                {...props}
                variant="default"
                leftSection={<IconReplace size={18} aria-hidden />}
              >
                {t("inspector.replace")}
              </Button>
            )}
          </FileChoice>
          <p className="quiet field-note">{t("inspector.replaceHelp")}</p>
        </>
      )}
    </>
  );
}

function Fact(props: {
  readonly name: string;
  readonly value: string;
}): ReactNode {
  return (
    <div className="fact">
      <dt>{props.name}</dt>
      <dd dir="ltr">{props.value}</dd>
    </div>
  );
}
