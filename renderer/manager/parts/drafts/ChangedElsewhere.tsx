// Notice at a field with a draft: the value stored from elsewhere meanwhile, and the choice between the two.

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { texts } from "../../texts/texts.ts";

interface Props {
  /** Label of the field. */
  readonly label: string;
  /** Where the field itself is elsewhere on the page. */
  readonly isNamed?: boolean;
  /** The stored value as the field would show it. */
  readonly theirs: string;
  readonly onKeep: () => void;
  readonly onTheirs: () => void;
}

export function ChangedElsewhere(props: Props): ReactNode {
  const { label, isNamed = false, theirs, onKeep, onTheirs } = props;
  const { changedElsewhere: words } = texts.manager;
  return (
    <div className="changed-elsewhere" role="group" aria-label={label}>
      <p role="status" dir="auto">
        {isNamed ? (
          <>
            <strong>{label}</strong>
            <br />
          </>
        ) : null}
        {theirs === "" ? words.cleared : words.to(theirs)}
      </p>
      <div className="changed-elsewhere-ways">
        <Button size="compact-sm" h={32} variant="default" onClick={onKeep}>
          {words.keepMine}
        </Button>
        <Button size="compact-sm" h={32} variant="default" onClick={onTheirs}>
          {words.useTheirs}
        </Button>
      </div>
    </div>
  );
}
