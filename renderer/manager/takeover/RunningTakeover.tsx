// The running takeover, its remaining time, and the button to stop it.

import { Stack, Text } from "@mantine/core";
import { useEffect, useRef, type ReactNode } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { TakeoverV2 } from "../../../server/contract/v2/v2-screen.ts";
import { useAssets } from "../api/api.ts";
import { problemText } from "../api/problem-text.ts";
import { useMoment } from "../components/use-moment.ts";
import { HoldButton } from "./HoldButton.tsx";
import { keyOf, operate } from "../api/operations.ts";
import {
  notifySuccess,
  notifyFailure,
  notifyInternalError,
} from "../components/outcomes/outcome.ts";
import { formats } from "../../locales/language.ts";
import { t } from "../../locales/messages.ts";

interface Props {
  readonly takeover: TakeoverV2;
  /** Nobody is choosing or typing below it: only then it takes the focus. */
  readonly isAlone: boolean;
}

export function Running({ takeover, isAlone }: Props): ReactNode {
  const end = useEndTakeover();
  const moment = useMoment(500);
  const asset = useAssets().data?.find(({ id }) => id === takeover.asset_id);
  const { until, started } = takeover;
  const time = formats.clock(Date.parse(started));
  const what = useRef<HTMLParagraphElement>(null);
  // Never the red button: a key that is still held, or pressed again, would stop what has just started.
  useEffect(() => {
    if (isAlone) what.current?.focus();
  }, [isAlone, takeover.started]);
  return (
    <Stack className="takeover-running">
      {/* Without the time, which a screen reader would read out every second. */}
      <div role="status">
        <Text
          className="takeover-what no-ring"
          fz={18}
          lh="26px"
          fw={600}
          tabIndex={-1}
          ref={what}
          data-autofocus={isAlone || undefined}
        >
          {takeover.is_drill ? <strong>{t("takeover.drill")} </strong> : null}
          <bdi>
            {takeover.blank
              ? t("takeover.blank")
              : (takeover.text ?? takeover.url ?? asset?.name)}
          </bdi>
        </Text>
      </div>
      <p className="quiet">
        {until === null
          ? t("takeover.runningUntilEnded", { time })
          : t("takeover.runningWithTimeLeft", {
              time,
              left: formats.countdown((Date.parse(until) - moment) / 1000),
            })}
      </p>
      {takeover.error_message === null ? null : (
        <Text role="alert" c="var(--fault)" dir="auto">
          {problemText(takeover.error_message)}{" "}
          {t("takeover.scheduleContinues")}
        </Text>
      )}
      {/* Press and hold, as for sending: it may appear under a pointer that was aimed at something else. A hold does not carry
          over to the next takeover. */}
      <HoldButton
        key={takeover.started}
        isDisabled={false}
        onHeld={() => {
          end().catch(notifyInternalError);
        }}
      >
        {t("takeover.holdToEnd")}
      </HoldButton>
    </Stack>
  );
}

// Returns the screen to the schedule.

function useEndTakeover(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    try {
      await operate("endTakeover", {});
      notifySuccess(t("takeover.ended"));
    } catch (error) {
      notifyFailure(t("takeover.notEnded"), error);
    }
    await client.invalidateQueries({ queryKey: keyOf("readTakeover") });
  };
}
