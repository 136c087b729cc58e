// Empty state of the library and of a search without results: what belongs here, and the next step.

import { Button } from "@mantine/core";
import { IconDragDrop, IconZoomQuestion } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { AddFilesButton } from "../uploads/AddFilesButton.tsx";
import { Empty } from "../components/layout/Empty.tsx";
import { t } from "../../locales/messages.ts";

export function EmptyLibrary(): ReactNode {
  return (
    <Empty
      icon={IconDragDrop}
      title={t("library.emptyTitle")}
      sentence={t("library.emptyText")}
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
      title={t("library.noMatches")}
      sentence={t("library.noMatchesText")}
    >
      <Button variant="default" onClick={onClear}>
        {t("library.showAll")}
      </Button>
    </Empty>
  );
}
