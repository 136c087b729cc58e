// Filters: every operator, on every type, the same on both databases.

import { expect, it } from "vitest";
import { eachDatabase } from "../../../support/database/each-database.ts";
import { serveV4 } from "../../../support/content/serve-v4.ts";
import { addSamples } from "../../../support/content/v4-rows.ts";

/** Filter, and the ids without their A, in order. */
type Scenario = readonly [filter: string, ids: string];

const comparing: readonly Scenario[] = [
  ["title=eq.", "6"],
  ["title=eq.welcome, guests (all)", "2"],
  ['title=eq.quote " and \\ back', "5"],
  ["title=neq.", "1 2 3 4 5 7"],
  ["title=gt.w", "2 4"],
  ["md5=neq.x", "1 2"],
  ["md5=not.eq.d41d8cd9", "2"],
  ["md5=isdistinct.d41d8cd9", "2 3 4 5 6 7"],
  ["width=gte.1920", "1 2"],
  ["width=eq.0", "3"],
  ["duration=eq.12.5", "2"],
  ["duration=lt.1e1", "4"],
  ["duration=lt.NaN", "1 2 4 7"],
  ["source_size=eq.9007199254740991", "1"],
  ["source_size=lt.9007199254740991", "6"],
  ["send_metadata=eq.yes", "2"],
  ["send_metadata=neq.true", "1 3 4 5 6 7"],
  ["type=eq.pdf-page", "5"],
  ["type=neq.image", "2 3 4 5 7"],
  ["status=in.(finished,error)", "1 2 4 5"],
  ["status=not.in.(finished,error)", "3 6 7"],
  ['title=in.("welcome, guests (all)",)', "2 6"],
  ['title=in.("quote \\" and \\\\ back")', "5"],
  ["title=in.()", ""],
  ["md5=not.in.()", "1 2 3 4 5 6 7"],
  ["md5=not.plfts.!", "1 2"],
  ["width=in.(0,640)", "3 5"],
  ["type=is.null", "6"],
  ["type=is.NOT_NULL", "1 2 3 4 5 7"],
  ["type=not.is.null", "1 2 3 4 5 7"],
  ["pdf_page_enabled=is.true", "5"],
  ["pdf_page_enabled=is.false", "4"],
  ["pdf_page_enabled=not.is.false", "1 2 3 5 6 7"],
  ["pdf_page_enabled=is.unknown", "1 2 3 6 7"],
  ["width=eq(any).{640,1920}", "1 5"],
  ["width=gt(all).{1,1920}", "2"],
  ["width=eq(any).{}", ""],
  ["title=like(any).{*guests*,%juice}", "2 3"],
  ["title=not.like(any).{*guests*,%juice}", "1 4 5 6 7"],
];

const matching: readonly Scenario[] = [
  ["title=like.*elcome*", "1 2"],
  ["title=like.Welcome*", "1"],
  ["title=ilike.welcome*", "1 2"],
  ["title=ilike.ÜBER*", "4"],
  ["title=like.100\\% fresh\\_juice", "3"],
  ["title=like.100_ fresh_juice", "3"],
  ["title=like.*[a-z]", "7"],
  ["title=like.", "6"],
  ["title=not.like.*e*", "6 7"],
  ["title=match.^Welcome", "1"],
  ["title=imatch.^welcome", "1 2"],
  ["title=imatch.ü", "4"],
  ["title=match.\\d{3}", "3"],
  ["title=match.(guests|lobby)", "1 2"],
  ["title=match.^$", "6"],
  ["title=match.\\[a-z\\]$", "7"],
  ["title=match(any).{^W,juice$}", "1 3"],
];

const searching: readonly Scenario[] = [
  ["title=fts.welcome", "1 2"],
  ["title=fts.welcome %26 !guests", "1"],
  ["title=fts.lob:*|guests", "1 2"],
  ["title=fts.the <-> lobby", "1"],
  ["title=fts(english).lobby", "1"],
  ["title=plfts.lobby WELCOME", "1"],
  ["title=phfts.the lobby", "1"],
  ["title=phfts.lobby the", ""],
  ["title=wfts.welcome -guests", "1"],
  ['title=wfts."the lobby" or juice', "1 3"],
  ["title=not.wfts.welcome", "3 4 5 6 7"],
  ["title=plfts.!!!", ""],
  ["title=plfts.überraschung", "4"],
  ["metadata=plfts.red", "1"],
  ["metadata->deep=plfts.x", "1"],
  ["metadata=not.plfts.red", "2 3 5 6 7"],
  ["metadata->tags=not.plfts.red", "2 6"],
  ["metadata->n=not.wfts.red", "1 2 6 7"],
];

const intoJson: readonly Scenario[] = [
  ["metadata->>s=eq.5", "2"],
  ["metadata->>n=eq.5", "1"],
  ["metadata->n=eq.5.0", "1"],
  ["metadata->n=gt.4", "1 2"],
  ['metadata->s=eq."5"', "2"],
  ["metadata->n=lt.0", "6 7"],
  ["metadata->n=eq.null", "6"],
  ["metadata->n=is.null", "3 4 5"],
  ["metadata->>n=is.null", "3 4 5 6"],
  ["metadata->tags->>0=eq.red", "1"],
  ["metadata->tags->>-1=eq.big", "1"],
  ["metadata->deep->a->1->>b=eq.x", "1"],
  ['metadata->"deep"->a=eq.[1,{"b":"x"}]', "1"],
  ["metadata->0=eq.1", "3"],
  ["metadata->>3=eq.3.5", "3"],
  ['metadata=eq."just text"', "5"],
  ["metadata=gt.[]", "1 2 3 5 6 7"],
  ['metadata->tags=cs.["red"]', "1"],
  ['metadata->tags=cs."blue"', "2"],
  ['metadata=cs.{"tags":["big"]}', "1"],
  ['metadata=cd.{"n":-1.5,"x":1}', "7"],
  ['metadata=in.("\\"just text\\"")', "5"],
  ["title->x=is.null", "1 2 3 4 5 6 7"],
  ["title->>x=eq.1", ""],
];

const nesting: readonly Scenario[] = [
  ["or=(title.eq.,width.eq.640)", "5 6"],
  ["and=(status.eq.finished,type.not.eq.image)", "2 5"],
  ["or=( width.eq.640 , and(width.gt.0,duration.eq.10) )", "1 5"],
  ["not.or=(type.is.null,duration.is.null)", "1 2 4 7"],
  ["not.and=(status.eq.finished,duration.gt.10)", "1 3 4 6 7"],
  ['or=(title.eq."welcome, guests (all)",title.in.("",x))', "2 6"],
  ["or=(width.eq(any).{640,0},metadata->>s.eq.5)", "2 3 5"],
  ["and=(not.or(type.eq.image,type.eq.video),status.eq.finished)", "5"],
  ['or=(metadata->tags.cs.["red"],title.like.%juice)', "1 3"],
  ["status=eq.finished&type=neq.image&width=gt.640", "2"],
  ["&&status=eq.error&nothing&", "4"],
];

const related: readonly Scenario[] = [
  ["select=id,asset_groups()&asset_groups=is.null", "4 6 7"],
  ["select=id,asset_groups()&asset_groups=not.is.null", "1 2 3 5"],
  [
    "select=id,asset_groups()&asset_groups.title=eq.Lobby&asset_groups=not.is.null",
    "1 2",
  ],
  ["select=id,asset_groups!inner()&asset_groups.title=like.*,*", "3 5"],
  ["select=id,g:asset_groups!inner()&g.title=eq.Lobby", "1 2"],
  ["select=id,asset_groups()&or=(asset_groups.is.null,width.eq.0)", "3 4 6 7"],
  [
    "select=id,asset_groups!inner(assets!inner())&asset_groups.assets.title=like.*juice",
    "3 5",
  ],
];

eachDatabase((database) => {
  const groups: readonly (readonly [string, readonly Scenario[]])[] = [
    ["[V4-8] compares by the column's type", comparing],
    ["[V4-18] matches patterns", matching],
    ["[V4-19] searches words", searching],
    ["[V4-10] looks into JSON", intoJson],
    ["[V4-9] nests and, or and not", nesting],
    ["[V4-15] asks for related rows", related],
  ];
  for (const [title, scenarios] of groups)
    it(title, async () => {
      const v4 = await serveV4(database);
      await addSamples(v4.database, v4.team, v4.otherTeam);
      const collected: Scenario[] = [];
      for (const [filter] of scenarios) {
        const select = filter.startsWith("select=") ? "" : "select=id&";
        const query = encodeURI(`${select}${filter}`).replaceAll(
          "%2526",
          "%26",
        );
        const { json, text } = await v4.get(`/assets?${query}&order=id`);
        const ids = Array.isArray(json)
          ? json.map((row) => String(row.id).slice(1)).join(" ")
          : text;
        collected.push([filter, ids]);
      }
      expect(collected).toEqual(scenarios);
    });

  it("[V4-30] compares times as instants", async () => {
    const v4 = await serveV4(database);
    await addSamples(v4.database, v4.team, v4.otherTeam);
    const scenarios: readonly Scenario[] = [
      ["created_at=eq.2026-01-02T00:00:00.123%2B00:00", "2"],
      ["created_at=eq.2026-01-02T01:00:00.123+01:00", "2"],
      ["created_at=eq.2026-01-01 19:00:00.123-05", "2"],
      ["created_at=gt.2026-02-01T12:30:00Z", "4 6"],
      ["created_at=gte.2026-02-01 12:30:00.0001", "4 6"],
      ["created_at=lt.2026-01-02", "1 5 7"],
      ["created_at=gt.infinity", ""],
      ["created_at=gt.epoch", "1 2 3 4 5 6 7"],
      ["created_at=in.(2026-01-02T00:00:00.123Z,2026-02-01T12:30Z)", "2 3"],
    ];
    const collected: Scenario[] = [];
    for (const [filter] of scenarios) {
      const { json, text } = await v4.get(
        `/assets?select=id&order=id&${filter.replaceAll(" ", "%20")}`,
      );
      collected.push([
        filter,
        json.map?.((row: any) => row.id.slice(1)).join(" ") ?? text,
      ]);
    }
    expect(collected).toEqual(scenarios);
  });
});
