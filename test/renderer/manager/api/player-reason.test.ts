// Reasons of adopted players: each sentence of the service has a code, and a message in every language.

import { describe, expect, it, vi } from "vitest";
import { translatorFor } from "../../../../renderer/locales/translator.ts";
import {
  connectionReasons,
  findPlayerReason,
  playerReasons,
  playerReasonText,
  type PlayerReason,
} from "../../../../server/contract/v3/player-reasons.ts";

vi.stubGlobal("navigator", { language: "en-GB" });
vi.stubGlobal("window", { localStorage: { getItem: () => null } });
const { problemText } =
  await import("../../../../renderer/manager/api/problem-text.ts");

const codes = Object.keys(playerReasons) as PlayerReason[];

describe("reasons of adopted players", () => {
  it.each(codes)("[V3-126] %s is recognized in its sentence", (code) => {
    const detail = playerReasons[code].includes("{detail}")
      ? "“A (1).” {}"
      : "";
    const sentence = playerReasonText(code, detail);
    expect(findPlayerReason(sentence)).toEqual({
      ...{ code, details: detail === "" ? {} : { detail } },
    });
  });

  it.each(["en", "de"])("[V3-126] have messages in %s", (language) => {
    const { messageFor } = translatorFor(language);
    for (const code of codes) {
      const detail = "DETAIL";
      const text = messageFor("screens.adopted.reasons", code, { detail });
      const hasDetail = playerReasons[code].includes("{detail}");
      expect([code, text?.includes(detail)]).toEqual([code, hasDetail]);
    }
    for (const code of Object.keys(connectionReasons))
      expect(
        messageFor("screens.adopted.connectionReasons", code),
      ).toBeTruthy();
  });

  it("[V3-126] a detail is written in the same language, unless it is the player's own words", () => {
    const listing = playerReasonText(
      ...([
        "listing-failed",
        playerReasonText("response-status", 502),
      ] as const),
    );
    expect(problemText(listing)).toBe(
      "The player can’t list its assets. The player responded with status 502.",
    );
    const refused = playerReasonText(
      "unreachable",
      connectionReasons["no-name"],
    );
    expect(problemText(refused)).toBe(
      "Can’t reach the player: its host name can’t be resolved.",
    );
    expect(problemText("The file has another size.")).toBe(
      "The file has another size.",
    );
  });

  it("[V3-126] a sentence that was cut keeps its code", () => {
    const sentence = playerReasonText("asset-type", "x".repeat(200));
    expect(findPlayerReason(sentence.slice(0, 150))?.code).toBe("asset-type");
  });
});
