// The head of a table of totals: names at the start, figures at the end.

import { Table } from "@mantine/core";
import type { ReactNode } from "react";

export interface TotalsColumn {
  readonly title: string;
  readonly isFigure?: boolean;
}

export function TotalsHead({
  columns,
}: {
  readonly columns: readonly TotalsColumn[];
}): ReactNode {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map(({ title, isFigure = false }) => (
          <Table.Th
            key={title}
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
