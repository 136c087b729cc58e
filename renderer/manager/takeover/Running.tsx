// What has the screen now, how long still, and the way back.

import { Button } from "@mantine/core";
import { useEffect, useRef, type ReactNode } from "react";
import type { TakeoverV2 } from "../../../server/contract/v2-glass.ts";
import { useAssets } from "../api.ts";
import { useMoment } from "../parts/moment.ts";
import { texts } from "../texts/texts.ts";
import { useEndTakeover } from "./use-end-takeover.ts";

interface Props {
  readonly takeover: TakeoverV2;
  /** Not from somebody who writes. */
  readonly takesFocus: boolean;
}

export function Running({ takeover, takesFocus }: Props): ReactNode {
  const end = useEndTakeover();
  const moment = useMoment(500);
  const asset = useAssets().data?.find(({ id }) => id === takeover.asset_id);
  const { until } = takeover;
  const what = useRef<HTMLParagraphElement>(null);
  // Never the red button: a key that is still held from the sending would end at once what it sent.
  useEffect(() => {
    if (takesFocus) what.current?.focus();
  }, [takesFocus]);
  return (
    <div className="takeover-running">
      {/* Without the time, which would be read out every second. */}
      <div role="status">
        <p className="takeover-what" tabIndex={-1} ref={what} data-autofocus>
          {takeover.is_drill ? <strong>{texts.takeover.drill} </strong> : null}
          <bdi>
            {takeover.blank
              ? texts.takeover.blank
              : (takeover.text ?? takeover.url ?? asset?.name)}
          </bdi>
        </p>
      </div>
      <p className="quiet">
        {texts.now.since(Date.parse(takeover.started))},{" "}
        {until === null
          ? texts.takeover.whichEnds
          : texts.now.left((Date.parse(until) - moment) / 1000)}
      </p>
      {takeover.error_message === null ? null : (
        <p role="alert" className="takeover-fault" dir="auto">
          {takeover.error_message} {texts.takeover.programmeGoesOn}
        </p>
      )}
      <Button color="red" onClick={() => void end()}>
        {texts.takeover.end}
      </Button>
    </div>
  );
}
