// Adds files, or a folder with all its files, with the system's own dialog, as an alternative to dropping them.

import { ActionIcon, Button, Group } from "@mantine/core";
import { IconFolderPlus, IconUpload } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { FileChoice } from "../components/controls/FileChoice.tsx";
import { t } from "../../locales/messages.ts";
import { filesOfDialog } from "./dropped-files.ts";
import { addFiles, canChooseFolder, chooseFolder } from "./uploads.ts";
import "./uploads.css";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  readonly isQuiet?: boolean;
}

export const AddFilesButton = memo(function AddFilesButton({
  isQuiet = false,
}: Props): ReactNode {
  return (
    <Group gap={4} wrap="nowrap">
      {/* The player detects the type from the file's content; this only filters the file dialog. */}
      <FileChoice
        isMultiple
        accept="image/*,video/*,audio/*,application/pdf,.zip,.tar.gz"
        onFiles={(files) => {
          addFiles(filesOfDialog(files)).catch(notifyInternalError);
        }}
      >
        {(props) => (
          <Button
            {...props}
            variant={isQuiet ? "default" : "filled"}
            leftSection={<IconUpload size={18} aria-hidden />}
          >
            {t("uploads.addFiles")}
          </Button>
        )}
      </FileChoice>
      {canChooseFolder ? (
        <ActionIcon
          visibleFrom="xs"
          variant="default"
          size={36}
          aria-label={t("uploads.addFolder")}
          title={t("uploads.addFolder")}
          onClick={chooseFolder}
        >
          <IconFolderPlus size={18} aria-hidden />
        </ActionIcon>
      ) : null}
    </Group>
  );
});
