// How much of the slide has been shown, and how long it stays.

import { Progress } from "@mantine/core";
import type { ReactNode } from "react";
import type { NowV2 } from "../../../server/contract/v2-glass.ts";
import { useMoment } from "../parts/moment.ts";
import { texts } from "../texts/texts.ts";

/** Four steps a second look steady and cost nothing. */
const everyMs = 250;

/** Kinds that come to an end by themselves. */
const ownEnd = new Set(["video", "audio", "pdf"]);

interface Props {
  readonly showing: NonNullable<NowV2["showing"]>;
}

export function ShowingProgress({ showing }: Props): ReactNode {
  const { since, until, kind } = showing;
  if (until === null)
    return (
      <p className="now-time quiet">
        {texts.now.since(Date.parse(since))},{" "}
        {ownEnd.has(kind)
          ? texts.now.untilItsEnd
          : texts.now.untilSomethingIsDue}
      </p>
    );
  return <Countdown sinceMs={Date.parse(since)} untilMs={Date.parse(until)} />;
}

function Countdown(span: {
  readonly sinceMs: number;
  readonly untilMs: number;
}): ReactNode {
  const moment = useMoment(everyMs);
  const wholeMs = Math.max(1, span.untilMs - span.sinceMs);
  const shownMs = Math.min(wholeMs, Math.max(0, moment - span.sinceMs));
  const left = texts.now.left((wholeMs - shownMs) / 1000);
  return (
    <div className="now-time">
      <Progress.Root size={8} className="now-bar">
        <Progress.Section
          value={(shownMs / wholeMs) * 100}
          aria-label={texts.now.progress}
          aria-valuetext={left}
        />
      </Progress.Root>
      <p className="quiet now-left">{left}</p>
    </div>
  );
}
