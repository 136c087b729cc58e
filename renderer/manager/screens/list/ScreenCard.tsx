// One screen in the table or the tiles: its name, its state with the reason, what it shows, and what is next.

import { IconDeviceTv } from "@tabler/icons-react";
import { memo, useEffect, useState, type ReactNode } from "react";
import { t } from "../../../locales/messages.ts";
import type { ScreenItem } from "../../fleet/find-screens.ts";
import { pictureOf, requestPicture } from "../pictures.ts";
import { reasonOfState, showingText } from "../screen-reason.ts";
import { timeHere } from "../screen-times.ts";
import { StateBadge } from "../StateBadge.tsx";

interface Props {
  readonly item: ScreenItem;
  readonly isLine: boolean;
  readonly isSelected: boolean;
  readonly isActive: boolean;
  /** To the minute, so that an old picture is marked. */
  readonly moment: number;
  readonly place: number;
  readonly all: number;
  /** The screens of several services are in the list. */
  readonly hasServices: boolean;
}

/** Plain elements: a whole screen of them is rendered at every step of a scroll. */
export const ScreenCard = memo(function ScreenCard(props: Props): ReactNode {
  const { item, isLine, isSelected, isActive } = props;
  const { screen } = item;
  const reason = reasonOfState(screen);
  return (
    <div
      id={`screen-${item.key}`}
      data-screen={item.key}
      data-state={screen.state}
      data-active={isActive}
      className={isLine ? "list-line screen-line" : "list-card screen-card"}
      role="option"
      aria-selected={isSelected}
      aria-posinset={props.place}
      aria-setsize={props.all}
      title={reason}
    >
      {isLine ? null : <TilePicture item={item} moment={props.moment} />}
      <span className="lines">
        <span className="one-line screen-name">
          <bdi>{screen.name}</bdi>
        </span>
        {isLine ? (
          <span className="one-line quiet small">
            {placeOf(item, props.hasServices)}
          </span>
        ) : null}
      </span>
      {isLine ? (
        <>
          <span className="lines">
            <StateBadge state={screen.state} />
            <span className="two-lines quiet small">{reason}</span>
          </span>
          <Shown item={item} />
          <span className="one-line quiet screen-next">
            {screen.report?.next == null ? null : (
              <bdi>{screen.report.next}</bdi>
            )}
          </span>
        </>
      ) : (
        <>
          <StateBadge state={screen.state} />
          <span className="one-line quiet small">
            {(screen.state === "right" ? showingText(screen) : null) ?? reason}
          </span>
        </>
      )}
    </div>
  );
});

function placeOf({ screen, serviceName }: ScreenItem, hasServices: boolean) {
  const labels = screen.groups.map(({ name }) => name).join(", ");
  return [screen.location, labels, hasServices ? serviceName : ""]
    .filter((part) => part !== "")
    .join(" · ");
}

function Shown({ item }: { readonly item: ScreenItem }): ReactNode {
  const text = showingText(item.screen);
  const since = item.screen.report?.showing?.since;
  return (
    <span className="lines screen-shown">
      <span className="one-line">{text ?? ""}</span>
      <span className="one-line quiet small">
        {since === undefined
          ? ""
          : t("screens.since", { time: timeHere(since) })}
      </span>
    </span>
  );
}

/** An older one shows nothing of the present. */
const oldMs = 15 * 60_000;

function TilePicture({
  item,
  moment,
}: {
  readonly item: ScreenItem;
  readonly moment: number;
}): ReactNode {
  const [, setCount] = useState(0);
  useEffect(
    () =>
      requestPicture(item, () => {
        setCount((count) => count + 1);
      }),
    [item],
  );
  const picture = pictureOf(item);
  const takenAt = picture?.takenAt ?? null;
  const isOld =
    picture !== null &&
    (item.screen.state === "offline" ||
      (takenAt !== null && moment - Date.parse(takenAt) > oldMs));
  return (
    <span className="picture" data-dim={isOld}>
      {picture === null ? (
        <IconDeviceTv size={28} stroke={1.25} aria-hidden />
      ) : (
        <img src={picture.dataUrl} alt="" decoding="async" draggable={false} />
      )}
      {isOld && takenAt !== null ? (
        <span
          className="on-picture small screen-picture-age"
          data-tone="waiting"
        >
          {t("screens.pictureFrom", { time: timeHere(takenAt) })}
        </span>
      ) : null}
    </span>
  );
}
