// Filter of a page by one of the labels of a content service; nothing where it has none.

import { NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";

interface Props {
  readonly labels: readonly { readonly id: string; readonly name: string }[];
  /** Null is every label. */
  readonly labelId: string | null;
  readonly onLabel: (labelId: string | null) => void;
}

export function LabelFilter({ labels, labelId, onLabel }: Props): ReactNode {
  if (labels.length === 0) return null;
  return (
    <NativeSelect
      aria-label={t("screens.labelFilter")}
      maw={260}
      data={[
        { value: "", label: t("screens.allLabels") },
        ...labels.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      value={labelId ?? ""}
      onChange={(event) => {
        onLabel(event.currentTarget.value || null);
      }}
    />
  );
}
