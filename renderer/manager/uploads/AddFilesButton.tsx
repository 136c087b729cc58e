// Adds files with the system's own file dialog, as an alternative to dropping them.

import { Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { FileChoice } from "../components/controls/FileChoice.tsx";
import { t } from "../../locales/messages.ts";
import { addFiles } from "./uploads.ts";
import { notifyInternalError } from "../components/outcomes/outcome.ts";

interface Props {
  readonly isQuiet?: boolean;
}

export const AddFilesButton = memo(function AddFilesButton({
  isQuiet = false,
}: Props): ReactNode {
  return (
    // The player detects the type from the file's content; this only filters the file dialog.
    <FileChoice
      isMultiple
      accept="image/*,video/*,audio/*,application/pdf,.zip,.tar.gz"
      onFiles={(files) => {
        addFiles(files).catch(notifyInternalError);
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
  );
});
