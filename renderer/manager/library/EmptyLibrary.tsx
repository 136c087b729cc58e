// Empty state of the library: what belongs here, and the next step.

import { IconDragDrop } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { AddFilesButton } from "../uploads/AddFilesButton.tsx";
import { Empty } from "../components/layout/Empty.tsx";
import { t } from "../../locales/messages.ts";

export function EmptyLibrary({
  mayAdd,
}: {
  readonly mayAdd: boolean;
}): ReactNode {
  return (
    <Empty
      icon={IconDragDrop}
      title={t("library.emptyTitle")}
      sentence={t(mayAdd ? "library.emptyText" : "library.emptyForViewers")}
    >
      {mayAdd ? <AddFilesButton /> : null}
    </Empty>
  );
}
