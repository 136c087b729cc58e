// Empty state: what belongs here, and the next step.

import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import "./empty.css";

interface Props {
  readonly icon: Icon;
  readonly title: string;
  readonly sentence: ReactNode;
  readonly children?: ReactNode;
}

export function Empty(props: Props): ReactNode {
  const { icon: Sign, title, sentence, children } = props;
  return (
    <div className="empty">
      <Sign size={40} stroke={1.25} aria-hidden />
      <h2>{title}</h2>
      <p className="quiet">{sentence}</p>
      {children === undefined ? null : (
        <div className="empty-step">{children}</div>
      )}
    </div>
  );
}
