// Layout of every page: its title, its actions next to it, and the area that scrolls.

import type { ReactNode } from "react";
import "./page-frame.css";

interface Props {
  readonly title: string;
  /** A dimmed line next to the title: how many, or of what. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** A line across the page, above all its content. */
  readonly note?: ReactNode;
  /** A page whose parts scroll by themselves. */
  readonly isFilled?: boolean;
  readonly children: ReactNode;
}

export function PageFrame(props: Props): ReactNode {
  const { title, about, actions, note, isFilled = false, children } = props;
  return (
    <div className="page-frame" data-filled={isFilled}>
      <header className="page-head">
        <h1 className="page-title" id="page-title" tabIndex={-1}>
          {title}
        </h1>
        {about === undefined ? null : <p className="quiet">{about}</p>}
        {actions === undefined ? null : (
          <div className="page-actions">{actions}</div>
        )}
        {note}
      </header>
      {/* Can be scrolled by keyboard, too, where nothing in it takes the focus. */}
      <div className="page-body" tabIndex={isFilled ? undefined : -1}>
        {children}
      </div>
    </div>
  );
}
