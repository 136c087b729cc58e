// Finds cities by name or by distance: names are searched for in the words of an address (V3-47, V3-48).

import type { PlacesV3 } from "../../../contract/v3/v3.ts";
import type { PlaceQuestion } from "./geocode.ts";

/** As in the data set. */
export interface City {
  readonly name: string;
  /** Two-letter code. */
  readonly country: string;
  /** Code of a state or province; two letters in some countries. */
  readonly adminCode: string;
  readonly population: number;
  /** Longitude first. */
  readonly loc: { readonly coordinates: readonly [number, number] };
}

export interface Places {
  /** Most likely first; larger cities before smaller ones of equal rank. */
  find(question: PlaceQuestion): PlacesV3;
}

const maxFound = 10;
const maxWords = 60;
/** Maximum words of a name: "San Miguel de Tucumán" has four. */
const longestName = 6;
const nearKm = 200;

export function createPlaces(cities: readonly City[]): Places {
  const byName = new Map<string, City[]>();
  for (const city of cities) {
    const key = keyOf(city.name);
    const same = byName.get(key);
    if (same) same.push(city);
    else byName.set(key, [city]);
  }
  const countries = countryNames(cities);
  // New York City, Kansas City: addresses omit the "City".
  for (const city of cities) {
    const short = keyOf(city.name).replace(/ city$/, "");
    const isFree = !byName.has(short) && !countries.has(short);
    if (isFree && city.population >= 100_000) byName.set(short, [city]);
  }
  const zoneOf = createZones(byName);

  /** The longest name in the words wins, then the later one: addresses go from street to town. */
  function named(words: readonly string[]): readonly City[] {
    for (
      let length = Math.min(longestName, words.length);
      length > 0;
      length -= 1
    )
      for (let from = words.length - length; from >= 0; from -= 1) {
        const found = byName.get(words.slice(from, from + length).join(" "));
        if (found) return found;
      }
    return [];
  }

  /** A country at the end, by its name or its code, is not taken for a town. */
  function countryAtEnd(words: readonly string[]) {
    for (
      let length = Math.min(longestName, words.length - 1);
      length > 0;
      length -= 1
    ) {
      const code = countries.get(words.slice(-length).join(" "));
      if (code !== undefined) return { code, words: words.slice(0, -length) };
    }
    return { code: null, words };
  }

  function byAddress(address: string): readonly City[] {
    const words = keyOf(address).split(" ").filter(Boolean).slice(-maxWords);
    const { code, words: before } = countryAtEnd(words);
    const inCountry = code
      ? named(before).filter(({ country }) => country === code)
      : [];
    const found = inCountry.length > 0 ? inCountry : named(words);
    const admins = new Set(words.map((word) => word.toUpperCase()));
    const rank = ({ adminCode }: City): number =>
      /^[A-Z]{2,3}$/.test(adminCode) && admins.has(adminCode) ? 1 : 0;
    return [...found].sort(
      (a, b) => rank(b) - rank(a) || b.population - a.population,
    );
  }

  function near(latitude: number, longitude: number): readonly City[] {
    const at = [longitude, latitude] as const;
    return cities
      .map((city) => ({ city, km: kmBetween(at, city.loc.coordinates) }))
      .filter(({ km }) => km <= nearKm)
      .sort((a, b) => a.km - b.km)
      .map(({ city }) => city);
  }

  return {
    find: (question) =>
      ("address" in question
        ? byAddress(question.address)
        : near(question.latitude, question.longitude)
      )
        .slice(0, maxFound)
        .map((city) => ({
          location: locationOf(city),
          coords: [city.loc.coordinates[1], city.loc.coordinates[0]],
          timezone: zoneOf(city),
        })),
  };
}

/** Lower-case letters and digits, without accents, one space between words. */
function keyOf(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const english = new Intl.DisplayNames("en", { type: "region" });
const german = new Intl.DisplayNames("de", { type: "region" });

function countryNames(cities: readonly City[]): ReadonlyMap<string, string> {
  const codes = [...new Set(cities.map(({ country }) => country))];
  const usual = [
    ["usa", "US"],
    ["uk", "GB"],
    ["england", "GB"],
    ["scotland", "GB"],
    ["wales", "GB"],
  ] as const;
  return new Map([
    ...codes.flatMap((code) =>
      [english.of(code), german.of(code)].map(
        (name) => [keyOf(name ?? code), code] as const,
      ),
    ),
    ...usual,
  ]);
}

function locationOf({ name, adminCode, country }: City): string {
  const state = /^[A-Z]{2,3}$/.test(adminCode) ? [adminCode] : [];
  return [name, ...state, english.of(country) ?? country].join(", ");
}

const earthKm = 6371;

/** Great-circle distance; points have the longitude first. */
function kmBetween(
  [lngA, latA]: readonly [number, number],
  [lngB, latB]: readonly [number, number],
): number {
  const radians = Math.PI / 180;
  const sine = (degrees: number): number =>
    Math.sin((degrees * radians) / 2) ** 2;
  const part =
    sine(latB - latA) +
    Math.cos(latA * radians) * Math.cos(latB * radians) * sine(lngB - lngA);
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(part)));
}

type Zones = (city: City) => string | null;

/** Time zones are named after a city in them: the zone with the nearest city wins, unless another is close (V3-48). */
function createZones(byName: ReadonlyMap<string, readonly City[]>): Zones {
  const cache = new Map<string, readonly Zone[]>();
  const zonesOf = (country: string): readonly Zone[] => {
    const found =
      cache.get(country) ??
      zoneNames(country).map((name) => ({
        name,
        town: largest(
          (byName.get(keyOf(name.split("/").at(-1) ?? "")) ?? []).filter(
            (city) => city.country === country,
          ),
        ),
      }));
    cache.set(country, found);
    return found;
  };
  return ({ country, loc }) => {
    const zones = zonesOf(country);
    if (zones.length < 2) return zones[0]?.name ?? null;
    const byDistance = zones
      .flatMap(({ name, town }) =>
        town
          ? [
              {
                name,
                town,
                km: kmBetween(loc.coordinates, town.loc.coordinates),
              },
            ]
          : [],
      )
      .sort((a, b) => a.km - b.km);
    const [nearest] = byDistance;
    if (!nearest) return null;
    const keepSameTime = (some: readonly { readonly name: string }[]) =>
      new Set(some.map(({ name }) => timesIn(name))).size === 1;
    const close = keepSameTime(byDistance)
      ? byDistance
      : byDistance.filter(({ km }) => km <= 2 * nearest.km);
    if (!keepSameTime(close)) return null;
    const town = largest(close.map((each) => each.town));
    return close.find((each) => each.town === town)?.name ?? null;
  };
}

/** The local time there at a moment in winter and one in summer. */
function timesIn(zone: string): string {
  const format = new Intl.DateTimeFormat("en", {
    ...{ timeZone: zone, dateStyle: "short", timeStyle: "short" },
  });
  return [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)]
    .map((moment) => format.format(moment))
    .join();
}

interface Zone {
  readonly name: string;
  readonly town: City | null;
}

function largest(cities: readonly City[]): City | null {
  return [...cities].sort((a, b) => b.population - a.population)[0] ?? null;
}

function zoneNames(country: string): readonly string[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    getTimeZones?(): readonly string[] | undefined;
  };
  // Longer names belong to counties that once had their own time.
  return (locale.getTimeZones?.() ?? []).filter(
    (name) => name.split("/").length === 2,
  );
}
