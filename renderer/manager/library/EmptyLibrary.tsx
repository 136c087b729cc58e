// Empty state of the library and of a search without results: what belongs here, and the next step.

import { Button } from "@mantine/core";
import { IconDragDrop, IconZoomQuestion } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { AddFilesButton } from "../uploads/AddFilesButton.tsx";
import { Empty } from "../parts/layout/Empty.tsx";
import { texts } from "../texts/texts.ts";

export function EmptyLibrary(): ReactNode {
  return (
    <Empty
      icon={IconDragDrop}
      title={texts.library.emptyTitle}
      sentence={texts.library.emptyText}
    >
      <AddFilesButton />
    </Empty>
  );
}

export function NothingFound({
  onClear,
}: {
  readonly onClear: () => void;
}): ReactNode {
  return (
    <Empty
      icon={IconZoomQuestion}
      title={texts.library.nothingFound}
      sentence={texts.library.nothingFoundText}
    >
      <Button variant="default" onClick={onClear}>
        {texts.library.showEverything}
      </Button>
    </Empty>
  );
}
