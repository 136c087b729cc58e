// What has the screen now, how long still, and the way back.

import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import type { TakeoverV2 } from "../../../server/contract/v2-glass.ts";
import { useAssets } from "../api.ts";
import { useMoment } from "../parts/moment.ts";
import { texts } from "../texts/texts.ts";
import { useEndTakeover } from "./use-end-takeover.ts";

export function Running({
  takeover,
}: {
  readonly takeover: TakeoverV2;
}): ReactNode {
  const end = useEndTakeover();
  const moment = useMoment(500);
  const asset = useAssets().data?.find(({ id }) => id === takeover.asset_id);
  const { until } = takeover;
  return (
    <div className="takeover-running" role="status">
      <p className="takeover-what">
        {takeover.is_drill ? <strong>{texts.takeover.drill} </strong> : null}
        <bdi>
          {takeover.blank
            ? texts.takeover.blank
            : (takeover.text ?? takeover.url ?? asset?.name)}
        </bdi>
      </p>
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
      <Button autoFocus color="red" onClick={() => void end()}>
        {texts.takeover.end}
      </Button>
    </div>
  );
}
