// Empty state of the library: what belongs here, and the next step.

import { IconDragDrop } from "@tabler/icons-react";
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
