// Libraries for the manager: a typical one of a shop, and one of ten thousand assets made of the same few files.

import { randomBytes } from "node:crypto";
import path from "node:path";
import sharp from "sharp";
import { openSqlite } from "../../../server/platform/sqlite/sqlite.ts";
import { clip, tone } from "../media/media.ts";
import type { AppCalls } from "../app/start-app.ts";

interface Poster {
  readonly name: string;
  readonly folder: string;
  readonly from: string;
  readonly to: string;
  readonly words: string;
}

const posters: readonly Poster[] = [
  ["Spring collection", "Season", "#f6d365", "#fda085", "Spring"],
  ["Summer sale", "Season", "#ff9a44", "#fc6076", "Summer sale"],
  ["Autumn colours", "Season", "#b5651d", "#6b2d0c", "Autumn"],
  ["Winter opening hours", "Season", "#4b79a1", "#283e51", "Open till 8"],
  ["Breakfast menu", "Menus/Breakfast", "#fbc2eb", "#a6c1ee", "Breakfast"],
  ["Lunch menu", "Menus/Lunch", "#56ab2f", "#a8e063", "Lunch 9.80"],
  ["Soup of the day", "Menus/Lunch", "#e65c00", "#f9d423", "Soup 5.20"],
  ["Dinner menu", "Menus/Dinner", "#141e30", "#243b55", "Dinner"],
  ["Welcome", "", "#2193b0", "#6dd5ed", "Welcome"],
  ["Way to the lifts", "Signs", "#3a6073", "#16222a", "Lifts →"],
  ["Toilets on floor 1", "Signs", "#606c88", "#3f4c6b", "Floor 1"],
  ["Staff party on Friday", "Inside", "#8e2de2", "#4a00e0", "Friday 6 pm"],
].map(([name = "", folder = "", from = "", to = "", words = ""]): Poster => ({
  ...{ name, folder, from, to, words },
}));

async function posterOf(poster: Poster, width = 1280): Promise<Buffer> {
  const height = Math.round((width * 9) / 16);
  const { from, to, words } = poster;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 1280 720">
    <defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
    <rect width="1280" height="720" fill="url(#g)"/>
    <circle cx="1060" cy="120" r="260" fill="#ffffff" opacity="0.14"/>
    <text x="80" y="420" font-family="sans-serif" font-weight="700" font-size="150" fill="#ffffff">${words}</text>
    <rect x="84" y="470" width="220" height="14" fill="#ffffff"/>
  </svg>`;
  return sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer();
}

/** The posters and the video. */
export const shopThumbnails = posters.length + 1;

/** A dozen posters in folders, a video, an audio file and two pages; some disabled, dated or scheduled. */
export async function fillShop(player: AppCalls): Promise<void> {
  const ids = new Map<string, string>();
  for (const poster of posters) {
    const asset = await player.addFile(await posterOf(poster), {
      ...{ name: poster.name, folder: poster.folder },
      ...{ mimetype: "image", duration: 10, play_order: 0 },
      ...stateOf(poster.name),
    });
    ids.set(poster.name, asset.asset_id);
  }
  const film = await clip({ colour: [30, 90, 160], seconds: 6 });
  await player.addFile(film, {
    ...{ name: "Shop tour", mimetype: "video", duration: 0, folder: "Films" },
  });
  const audio = await tone(3);
  await player.addFile(audio, {
    ...{ name: "Closing chime", mimetype: "audio", duration: 0 },
    is_enabled: false,
  });
  for (const [name, uri] of [
    ["Timetable of the bus", "https://timetable.example/"],
    ["Weather", "https://weather.example/"],
  ] as const)
    await player.add({
      ...{ name, uri, mimetype: "webpage", duration: 20 },
      ...{ skip_asset_check: true, is_enabled: false },
    });
  for (const { names, ...playlist } of playlists) {
    const items = names.map((name) => ids.get(name));
    await fetch(`${player.api}/api/v2/playlists`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...playlist, items }),
    });
  }
}

const hourMs = 3_600_000;

/** `$TIME` between these hours. */
function between(from: number, to: number): string {
  return `$TIME BETWEEN {${from * hourMs}, ${to * hourMs}}`;
}

const playlists = [
  {
    ...{ name: "Breakfast", predicate: between(7, 10.5), priority: 1 },
    names: ["Breakfast menu", "Welcome"],
  },
  {
    name: "Lunch",
    predicate: `${between(11.5, 14)} AND NOT $WEEKDAY IN {0, 6}`,
    ...{ priority: 2, names: ["Lunch menu", "Soup of the day", "Welcome"] },
  },
  {
    ...{ name: "Evening", predicate: between(17, 21), priority: 1 },
    names: ["Dinner menu", "Way to the lifts"],
  },
  {
    ...{ name: "Season", predicate: "TRUE", priority: 0 },
    names: ["Spring collection", "Summer sale", "Autumn colours"],
  },
];

function stateOf(name: string): Readonly<Record<string, unknown>> {
  if (name.startsWith("Winter"))
    return { start_date: "2099-12-01", end_date: "2099-12-31" };
  if (name.startsWith("Autumn"))
    return { start_date: "2020-09-01", end_date: "2020-11-30" };
  if (name.startsWith("Staff")) return { is_enabled: false };
  return {};
}

/** Additional rows with the same files; the player must not be running. */
export function multiplyAssets(dataDir: string, to: number): void {
  const database = openSqlite(path.join(dataDir, "vitrine.db"));
  const rows = database
    .prepare("SELECT * FROM assets WHERE file_hash IS NOT NULL")
    .all() as Record<string, unknown>[];
  const all = database.prepare("SELECT count(*) AS count FROM assets").get();
  const { count } = all as { count: number };
  const names = Object.keys(rows[0] ?? {}).filter((name) => name !== "created");
  const insert = database.prepare(
    `INSERT INTO assets (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`,
  );
  database.transaction(() => {
    for (let place = count; place < to; place++) {
      const row = rows[place % rows.length] ?? {};
      insert.run({
        ...row,
        id: randomBytes(16).toString("hex"),
        name: `${String(row["name"])} ${place}`,
        play_order: place,
      });
    }
  })();
  database.close();
}
