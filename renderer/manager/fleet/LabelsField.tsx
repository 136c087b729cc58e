// Choice of labels of a content service; those that were deleted since stay chosen.

import { MultiSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../locales/messages.ts";
import { useQuestion } from "../api/manager-queries.ts";

interface Props {
  readonly label: string;
  readonly serviceId: string;
  readonly description?: string;
  readonly chosen: readonly string[];
  /** What was chosen before, with the names known then. */
  readonly before: readonly {
    readonly id: string;
    readonly name: string | null;
  }[];
  readonly onChange: (ids: readonly string[]) => void;
}

export function LabelsField(props: Props): ReactNode {
  const { label, serviceId, chosen, before, onChange } = props;
  const { description = t("alerts.form.labelsHelp") } = props;
  const labels = useQuestion("listScreenLabels", { serviceId }).data ?? [];
  const others = before.filter(
    ({ id }) => !labels.some((one) => one.id === id),
  );
  return (
    <MultiSelect
      {...{ label, description }}
      searchable
      clearable
      clearButtonProps={{ "aria-label": t("alerts.form.clearLabels") }}
      data={[...labels, ...others].map(({ id, name }) => ({
        ...{ value: id, label: name ?? t("alerts.unknownLabel") },
      }))}
      value={[...chosen]}
      onChange={onChange}
    />
  );
}
