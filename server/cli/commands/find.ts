// Finds what a command names, by identifier or by name: screens, labels, assets and playlists.

import { Failure } from "../../core/failure.ts";
import type { SchemasV3 } from "../../client/client.ts";
import { dataOf, dataOrNull, type ServiceConnection } from "../connection.ts";

export type ScreenState = SchemasV3["ScreenState"];
export type Asset = SchemasV3["Asset"];
export type Playlist = SchemasV3["Playlist"];
export type Group = Pick<SchemasV3["Group"], "id" | "name"> & {
  readonly screens: readonly { readonly id: string; readonly name: string }[];
};

/** How many of several with the same name an error lists. */
const maxListed = 5;

type Keys<Thing> = (thing: Thing) => {
  readonly id: string;
  readonly name: string;
};

export function oneNamed<Thing>(
  what: string,
  word: string,
  things: readonly Thing[],
  keys: Keys<Thing>,
): Thing {
  return finderOf(what, things, keys)(word);
}

/** Finds each of many words without reading all things again. */
function finderOf<Thing>(
  what: string,
  things: readonly Thing[],
  keys: Keys<Thing>,
): (word: string) => Thing {
  const byId = new Map(things.map((each) => [keys(each).id, each]));
  const byName = new Map<string, Thing[]>();
  for (const each of things) {
    const name = keys(each).name.toLowerCase();
    const alike = byName.get(name);
    if (alike) alike.push(each);
    else byName.set(name, [each]);
  }
  return (word) =>
    byId.get(word) ??
    onlyOne(what, word, byName.get(word.toLowerCase()) ?? [], keys);
}

function onlyOne<Thing>(
  what: string,
  word: string,
  found: readonly Thing[],
  keys: Keys<Thing>,
): Thing {
  const [only] = found;
  if (only === undefined)
    throw new Failure(
      "not-found",
      `There is no ${what} named or identified by "${word}". List them with "${what}s list".`,
    );
  if (found.length > 1) {
    const ids = found.slice(0, maxListed).map((each) => keys(each).id);
    throw new Failure(
      "conflict",
      `${found.length} ${what}s are named "${word}". Use an identifier: ${ids.join(", ")}${found.length > maxListed ? ", …" : ""}.`,
    );
  }
  return only;
}

export async function allStates(
  service: ServiceConnection,
  query: {
    readonly state?: ScreenState["state"][];
    readonly screen?: string[];
  } = {},
): Promise<readonly ScreenState[]> {
  const data = await dataOf(
    service,
    service.client.GET("/screens/states/", { params: { query } }),
  );
  return data as readonly ScreenState[];
}

export async function screenNamed(
  service: ServiceConnection,
  word: string,
): Promise<ScreenState> {
  // An identifier has at most 100 characters, and a long list is not needed to find it.
  const isId = word.trim() !== "" && word.length <= 100;
  const [byId] = isId ? await allStates(service, { screen: [word] }) : [];
  return (
    byId ?? oneNamed("screen", word, await allStates(service), (each) => each)
  );
}

/** Each once, however often it is named. */
export async function screensNamed(
  service: ServiceConnection,
  words: readonly string[],
): Promise<readonly ScreenState[]> {
  if (words.length === 0) return [];
  const all = await allStates(service);
  const find = finderOf("screen", all, (each) => each);
  return [...new Set(words.map(find))];
}

export async function allLabels(
  service: ServiceConnection,
): Promise<readonly Group[]> {
  return dataOf(service, service.client.GET("/groups/"));
}

export function labelNamed(word: string, all: readonly Group[]): Group {
  const found = all.find(
    ({ id, name }) => id === word || name.toLowerCase() === word.toLowerCase(),
  );
  if (found) return found;
  const names = all.slice(0, 20).map(({ name }) => name);
  throw new Failure(
    "not-found",
    `There is no label "${word}". There are: ${names.join(", ")}${all.length > names.length ? ", …" : ""}.`,
  );
}

/** In an address, these would lead to another resource, however they are encoded. */
const isPathStep = (word: string): boolean => word === "." || word === "..";

export async function assetNamed(
  service: ServiceConnection,
  word: string,
): Promise<Asset> {
  const byId = isPathStep(word)
    ? null
    : await dataOrNull(
        service,
        service.client.GET("/assets/{id}/", { params: { path: { id: word } } }),
      );
  if (byId) return byId;
  const all = await dataOf(service, service.client.GET("/assets/"));
  return oneNamed("asset", word, all, ({ id, title }) => ({ id, name: title }));
}

export async function playlistNamed(
  service: ServiceConnection,
  word: string,
): Promise<Playlist> {
  const byId = async (id: string) =>
    dataOrNull(
      service,
      service.client.GET("/playlists/{id}/", { params: { path: { id } } }),
    );
  const found = isPathStep(word) ? null : await byId(word);
  if (found) return found;
  const all = await dataOf(service, service.client.GET("/playlists/"));
  const { id } = oneNamed("playlist", word, all, (each) => ({
    ...{ id: each.id, name: each.title },
  }));
  const whole = await byId(id);
  if (whole) return whole;
  throw new Failure("not-found", `The playlist "${word}" was just deleted.`);
}
