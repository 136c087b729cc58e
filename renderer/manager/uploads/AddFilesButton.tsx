// The way in for those who do not drop: the system's own file dialog.

import { Button } from "@mantine/core";
import { IconUpload } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { FileChoice } from "../parts/controls/FileChoice.tsx";
import { texts } from "../texts/texts.ts";
import { addFiles } from "./uploads.ts";

interface Props {
  readonly isQuiet?: boolean;
}

export const AddFilesButton = memo(function AddFilesButton({
  isQuiet = false,
}: Props): ReactNode {
  return (
    // What a file is, the player reads from its bytes; this only sorts the file dialog.
    <FileChoice
      isMultiple
      accept="image/*,video/*,audio/*,application/pdf,.zip,.tar.gz"
      onFiles={(files) => {
        void addFiles(files);
      }}
    >
      {(props) => (
        <Button
          {...props}
          variant={isQuiet ? "default" : "filled"}
          leftSection={<IconUpload size={18} aria-hidden />}
        >
          {texts.uploads.addFiles}
        </Button>
      )}
    </FileChoice>
  );
});
