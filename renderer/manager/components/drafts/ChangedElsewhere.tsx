// Notice at a field with a draft: the value stored from elsewhere meanwhile, and the choice between the two.

import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";

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
  return (
    <div className="changed-elsewhere small" role="group" aria-label={label}>
      <p role="status" dir="auto">
        {isNamed ? (
          <>
            <strong>{label}</strong>
            <br />
          </>
        ) : null}
        {theirs === ""
          ? t("manager.changedElsewhere.cleared")
          : t("manager.changedElsewhere.changed", { value: theirs })}
      </p>
      <Group gap={8}>
        <Button size="compact-sm" h={32} variant="default" onClick={onKeep}>
          {t("manager.changedElsewhere.keepMine")}
        </Button>
        <Button size="compact-sm" h={32} variant="default" onClick={onTheirs}>
          {t("manager.changedElsewhere.useTheirs")}
        </Button>
      </Group>
    </div>
  );
}
