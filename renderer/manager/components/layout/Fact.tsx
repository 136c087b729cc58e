// One line of a list of facts: label and value.

import type { ReactNode } from "react";

interface Props {
  readonly name: string;
  readonly children: ReactNode;
}

export function Fact({ name, children }: Props): ReactNode {
  return (
    <div>
      <dt className="quiet">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
