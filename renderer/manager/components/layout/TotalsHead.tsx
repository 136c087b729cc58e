// The head of a table of totals: names at the start, figures at the end.

import { Table } from "@mantine/core";
import type { ReactNode } from "react";

export interface TotalsColumn {
  readonly title: string;
  readonly isFigure?: boolean;
  /** Hidden in narrower windows. */
  readonly visibleFrom?: "xs";
}

export function TotalsHead({
  columns,
}: {
  readonly columns: readonly TotalsColumn[];
}): ReactNode {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map(({ title, isFigure = false, visibleFrom }) => (
          <Table.Th
            key={title}
            {...(visibleFrom && { visibleFrom })}
            scope="col"
            fw={500}
            c="dimmed"
            ta={isFigure ? "end" : "start"}
          >
            {title}
          </Table.Th>
        ))}
      </Table.Tr>
    </Table.Thead>
  );
}
