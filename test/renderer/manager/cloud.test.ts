// What the page of the cloud reckons: an account as a form, and only what was changed of it sent.

import { describe, expect, it } from "vitest";
import type { SyncAccountV2 } from "../../../server/contract/v2-sync.ts";
import {
  changesOf,
  draftOf,
} from "../../../renderer/manager/cloud/account-draft.ts";

const account: SyncAccountV2 = {
  ...{ account_id: "3f9a1c2e", name: "Office", version: "auto" },
  ...{ base_url: "https://content.example.org", token_kept: "file" },
  ...{ labels: ["lobby", "stairs"], screen_id: null, asset_groups: [] },
  ...{ mode: "now", apply_at: "03:00:00", poll_seconds: 60, rate_limit: null },
  ...{ fetch_from: null, fetch_until: null, is_enabled: true },
  lets_items_end: false,
  ...{ skip_ssl_verify: false, proxy_url: "http://proxy.example.org:3128" },
};

describe("the form of an account", () => {
  it("sends nothing of what is as it was, and never a token that was not entered", () => {
    const draft = draftOf(account);
    expect(draft).toMatchObject({ labels: "lobby, stairs", apply_at: "03:00" });
    expect(changesOf(account, draft)).toEqual({});
  });

  it("sends what was changed in the interface's own words: nothing as null, kilobytes as bytes", () => {
    const draft = {
      ...draftOf(account),
      ...{ rate_limit: "250", fetch_from: "22:00", proxy_url: "" },
      ...{ token: "new", skip_ssl_verify: true },
    };
    expect(changesOf(account, draft)).toEqual({
      ...{ rate_limit: 250_000, fetch_from: "22:00", proxy_url: null },
      ...{ token: "new", skip_ssl_verify: true },
    });
  });

  it("leaves what cannot be read to the player to refuse at its field", () => {
    const draft = { ...draftOf(account), rate_limit: "fast" };
    expect(changesOf(account, draft)).toEqual({ rate_limit: "fast" });
  });
});
