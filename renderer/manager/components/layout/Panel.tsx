// A section of a page with a heading and actions of its own.

import { useId, type ReactNode } from "react";
import "./panel.css";

interface Props {
  readonly title: string;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}

export function Panel({ title, about, actions, children }: Props): ReactNode {
  const id = useId();
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel-head">
        <div className="panel-words">
          <h3 id={id}>{title}</h3>
          {about === undefined ? null : <p className="quiet">{about}</p>}
        </div>
        {actions === undefined ? null : (
          <div className="panel-actions">{actions}</div>
        )}
      </div>
      {children}
    </section>
  );
}
