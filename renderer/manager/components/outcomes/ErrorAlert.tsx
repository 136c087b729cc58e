// A failed query, shown where its result would have been, with the next step.

import { Button } from "@mantine/core";
import { IconAlertTriangle, IconRefresh } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { t } from "../../../locales/messages.ts";

interface Props {
  readonly sentence: string;
  /** The response, verbatim; it may help support. */
  readonly reason?: string | undefined;
  readonly isTrying: boolean;
  readonly onTryAgain: () => void;
  readonly label?: string;
}

export function ErrorAlert(props: Props): ReactNode {
  return (
    <div className="trouble" role="alert">
      <IconAlertTriangle size={24} aria-hidden className="trouble-icon" />
      <div className="trouble-words">
        <p>{props.sentence}</p>
        {props.reason === undefined ? null : (
          <p className="quiet" dir="auto">
            {props.reason}
          </p>
        )}
      </div>
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} aria-hidden />}
        loading={props.isTrying}
        onClick={props.onTryAgain}
      >
        {props.label ?? t("manager.tryAgain")}
      </Button>
    </div>
  );
}
