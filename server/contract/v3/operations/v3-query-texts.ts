// What each query parameter of version 3 selects, with an example, as the OpenAPI description shows it.

import * as z from "zod";

type QueryText = readonly [description: string, example: string];

const screenId = "3f9a1c2e4b6d4f0f9a4b2c1d0e9f8a7b";
const day = "2026-05-01";
const moment = `${day}T00:00:00Z`;

const queryTexts: Readonly<Record<string, QueryText>> = {
  action: [
    "Identifiers of actions: commands that were sent together.",
    screenId,
  ],
  asset: ["Identifiers of assets.", screenId],
  asset_id: ["Identifier of an asset.", screenId],
  at: ["The moment; now if left out.", moment],
  by: ["What the totals are grouped by.", "screen"],
  cause: ["Causes of outages.", "network"],
  end: ["Playbacks that began before this moment.", moment],
  format: ["csv for a table; the default follows Accept.", "json"],
  from: ["The first day.", day],
  group: ["Identifiers of groups; empty for none.", screenId],
  id: ["Identifiers of commands.", screenId],
  is_open: ["Whether the incident is ongoing.", "true"],
  cursor: ["`next` of the previous page.", "01JZ0000000000000000000000"],
  resource: ["Identifier of the thing that was changed.", screenId],
  text: ["Part of a name, an address or a value.", "Lobby"],
  limit: ["The maximum number in one response.", "100"],
  offset: ["How many to skip.", "0"],
  playlist: ["Identifiers of playlists.", screenId],
  playlist_id: ["Identifier of a playlist.", screenId],
  rule: ["Identifiers of alert rules.", screenId],
  screen: ["Identifiers of screens.", screenId],
  screen_id: ["Identifier of a screen.", screenId],
  since: ["Only what was ongoing at or after this moment.", moment],
  start: ["Playbacks that began at or after this moment.", moment],
  state: ["States.", "offline"],
  timezone: ["The IANA time zone in which months begin.", "Europe/Berlin"],
  to: ["The last day, included.", day],
  until: ["Only what was ongoing before this moment.", moment],
  address: ["Part of an address.", "Hamburg"],
  q: ["The same as address.", "Hamburg"],
  lat: ["Latitude, together with lng.", "53.55"],
  lng: ["Longitude, together with lat.", "9.99"],
};

/** The parameters with their descriptions; `others` replace those that mean something else here. */
export function explained(
  query: z.ZodObject,
  others: Readonly<Record<string, QueryText>> = {},
): z.ZodObject {
  const texts = { ...queryTexts, ...others };
  const parameters = Object.entries(query.shape).map(([name, schema]) => {
    const text = texts[name];
    if (!text) throw new Error(`The parameter ${name} has no description.`);
    const [description, example] = text;
    return [name, (schema as z.ZodType).meta({ description, example })];
  });
  return z.object(Object.fromEntries(parameters) as z.ZodRawShape);
}
