// An entry of a content service's activity log in the operator's words (V3-184).

import type {
  ActivityKindV3,
  ActivityV3,
} from "../../../../server/contract/v3/v3-activity.ts";
import { messageFor, t } from "../../../locales/messages.ts";
import { addressOf } from "../../place/navigation.ts";
import { commandName } from "../../screens/commands/send-command.ts";
import { ownServiceId } from "../../service-requests/own-service.ts";

type Entry = Pick<ActivityV3, "kind" | "what" | "count">;

/** What a later version records has no sentence here: its code is shown. */
export function eventText({ kind, what, count }: Entry): string {
  const text = messageFor(`activity.service.events.${kind}`, what, { count });
  return text ?? `${kind} ${what}`;
}

/** The command that was sent. */
export function detailsText({ what, changes }: ActivityV3): string {
  if (what !== "commanded") return "";
  const [sent] = changes.filter(({ field }) => field === "command");
  return commandName(String(sent?.after ?? ""));
}

/** Its name, or what it is, and its address, as far as it has them. */
export function authorText(entry: ActivityV3): string {
  const { actor_kind: kind, actor_name: name, address } = entry;
  const what = messageFor("activity.service.actors", kind) ?? kind;
  const isNamed = kind === "person" && name !== "";
  return [isNamed ? name : what, isNamed ? "" : name, address]
    .filter(Boolean)
    .join(" · ");
}

/** `items.duration` is the duration of an item; `items of` are the items of several things at once. */
export function fieldText(field: string): string {
  const several = / of$/;
  if (several.test(field))
    return t("activity.service.fieldOfSeveral", {
      field: fieldText(field.replace(several, "")),
    });
  const [whole = field, ...rest] = field.split(".");
  const name = messageFor("activity.service.fields", whole) ?? whole;
  return rest.length === 0
    ? name
    : t("activity.service.fieldPart", {
        field: name,
        part: fieldText(rest.join(".")),
      });
}

/** Of roles and commands. */
export function codeText(field: string, value: string): string | undefined {
  if (field === "role") return messageFor("team.roles", value);
  return field === "command" ? commandName(value) : undefined;
}

/** The page on which the thing is; null where it has none, or is not there any more. */
export function linkTo({
  kind,
  what,
  resource_id: id,
}: Pick<ActivityV3, "kind" | "what" | "resource_id">) {
  if (id === null || what === "removed") return null;
  const link = links[kind];
  return link === undefined ? null : link(id);
}

interface Link {
  readonly href: string;
  readonly title: string;
}

const toTeam = (): Link => ({
  ...{ href: addressOf("team"), title: t("activity.service.open.team") },
});

const links: Readonly<Partial<Record<ActivityKindV3, (id: string) => Link>>> = {
  asset: (id) => ({
    href: addressOf("library", id),
    title: t("activity.service.open.asset"),
  }),
  playlist: (id) => ({
    href: addressOf("playlists", id),
    title: t("activity.service.open.playlist"),
  }),
  screen: (id) => ({
    href: addressOf("screens", `${ownServiceId}/${id}`),
    title: t("activity.service.open.screen"),
  }),
  ...{ key: toTeam, person: toTeam, invitation: toTeam },
};
