// Lists in the rules of version 2: they name everything that the interface has.

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  infoV2,
  type EventsV2,
} from "../../../../server/contract/v2/v2-monitoring.ts";

const monitoring = readFileSync(
  new URL(
    "../../../../server/contract/v2/rules/monitoring.md",
    import.meta.url,
  ),
  "utf8",
);

/** Names in code type in these rules. */
function namesIn(...rules: readonly string[]): ReadonlySet<string> {
  const items = monitoring.split(/^(?=- <a id=)/m);
  const texts = items.filter((item) =>
    rules.some((rule) => item.includes(`**${rule}**`)),
  );
  expect(texts).toHaveLength(rules.length);
  return new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/`([a-z_]+)`/g)].map(([, name = ""]) => name),
    ),
  );
}

it("[V2-73] name every field of info", () => {
  const names = namesIn("V2-73");
  const fields = Object.keys(infoV2.shape);
  expect(fields.filter((field) => !names.has(field))).toEqual([]);
});

it("[V2-75] [V2-441] name every event and every resource of a change", () => {
  const resources: Readonly<Record<EventsV2["changed"]["resource"], true>> = {
    ...{ assets: true, playlists: true, settings: true, takeover: true },
    ...{ tokens: true, backups: true, sync_accounts: true },
  };
  const events: Readonly<Record<keyof EventsV2, true>> = {
    ...{ changed: true, showing: true, progress: true, fault: true },
    sync: true,
  };
  const names = namesIn("V2-75", "V2-441");
  const all = [...Object.keys(resources), ...Object.keys(events)];
  expect(all.filter((name) => !names.has(name))).toEqual([]);
});
