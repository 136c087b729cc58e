// Connections page: a connection as a form of which only changes are sent; restoring an earlier state.

import { describe, expect, it } from "vitest";
import type { SyncAccountV2 } from "../../../../server/contract/v2/v2-sync.ts";
import {
  changesOf,
  draftOf,
} from "../../../../renderer/manager/connections/connection/connection-draft.ts";
import { stubWindow } from "../../../support/manager/stub-window.ts";

const connection: SyncAccountV2 = {
  ...{ account_id: "3f9a1c2e", name: "Office", version: "auto" },
  ...{ base_url: "https://content.example.org", token_storage: "file" },
  ...{ labels: ["lobby", "stairs"], screen_id: null, asset_groups: [] },
  all_assets: "off",
  ...{ mode: "now", apply_at: "03:00:00", poll_seconds: 60, rate_limit: null },
  ...{ download_from: null, download_until: null, is_enabled: true },
  ...{ finish_current_item: false, kind: "cloud" },
  ...{ skip_ssl_verify: false, proxy_url: "http://proxy.example.org:3128" },
};

describe("the form of a connection", () => {
  it("sends no unchanged field, and never a token that was not entered", () => {
    const draft = draftOf(connection);
    expect(draft).toMatchObject({ labels: "lobby, stairs", apply_at: "03:00" });
    expect(changesOf(connection, draft)).toEqual({});
  });

  it("sends changed fields in the interface's notation: empty as null, kilobytes as bytes", () => {
    const draft = {
      ...draftOf(connection),
      ...{ rate_limit: "250", download_from: "22:00", proxy_url: "" },
      ...{ token: "new", skip_ssl_verify: true },
    };
    expect(changesOf(connection, draft)).toEqual({
      ...{ rate_limit: 250_000, download_from: "22:00", proxy_url: null },
      ...{ token: "new", skip_ssl_verify: true },
    });
  });

  it("leaves invalid input for the player to reject at its field", () => {
    const draft = { ...draftOf(connection), rate_limit: "fast" };
    expect(changesOf(connection, draft)).toEqual({ rate_limit: "fast" });
  });
});

describe("restoring the previous state of a connection", () => {
  it("succeeds once the player has done it, even if the state before cannot be read", async () => {
    const requests: unknown[] = [];
    const operate = (one: { readonly operation: string }) => {
      requests.push(one);
      return Promise.resolve(
        one.operation === "readSyncPlan"
          ? { isDone: false, code: "unavailable", message: "", fields: null }
          : { isDone: true, answer: null },
      );
    };
    stubWindow(operate);
    const { goBack } =
      await import("../../../../renderer/manager/connections/plans/apply-plan.ts");
    const takeBack = await goBack("a");
    await takeBack();
    expect(requests).toEqual([
      { operation: "rollBackSync", body: { account_id: "a" } },
      { operation: "readSyncPlan" },
      { operation: "applySync", body: { account_id: "a" } },
    ]);
  });
});
