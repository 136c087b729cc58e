// Technical data of an asset's file, and replacing the file.

import { Button, Flex, Group, Text } from "@mantine/core";
import { IconReplace } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { viewOf, type AssetView } from "../api/asset-view.ts";
import { operate } from "../api/operations.ts";
import { runJobs } from "../uploads/upload-jobs.ts";
import { FileChoice } from "../components/controls/FileChoice.tsx";
import {
  notifySuccess,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";
import { can } from "../place/abilities.ts";
import { noteFinal } from "../undo/undo.ts";
import { ReplaceAddress } from "./ReplaceAddress.tsx";

export function FileFacts({ asset }: { readonly asset: AssetView }): ReactNode {
  const replace = async (file: File): Promise<void> => {
    await runJobs([{ file, folder: "" }], {
      claim: async ({ uri }) =>
        viewOf(
          await operate("replaceSource", {
            ...{ parameters: { id: asset.id }, body: { uri } },
          }),
        ),
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
      <Flex component="dl" className="facts" direction="column" gap={6}>
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
      </Flex>
      {!can("player") ? null : asset.fileUrl === null ? (
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
          <Text c="dimmed" mt={-6} fz={13}>
            {t("inspector.replaceHelp")}
          </Text>
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
    <Group
      className="fact"
      wrap="nowrap"
      align="stretch"
      justify="space-between"
    >
      <Text component="dt" flex="none" maw="60%" c="dimmed">
        {props.name}
      </Text>
      <Text component="dd" className="figures" miw={0} ta="end" dir="ltr">
        {props.value}
      </Text>
    </Group>
  );
}
