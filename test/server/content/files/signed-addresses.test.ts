// File addresses: signed when read, valid for one team and for a short time.

import { describe, expect, it } from "vitest";
import {
  addressOfFile,
  createAddresses,
  mark,
} from "../../../../server/content/files/signed-addresses.ts";

const id = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const hourMs = 3_600_000;
const base = "http://content.example:8090";

function readAt(moment: number, text: string, team = "TEAM"): URL {
  const { present } = createAddresses("secret", () => moment);
  const found = present(`${mark}${text}`, () => base, team);
  return new URL(found);
}

const query = (address: URL) => Object.fromEntries(address.searchParams);

describe("the address of a file", () => {
  it("[V4-230] is valid for one to two hours, and stays the same for an hour", () => {
    const first = readAt(10 * hourMs, addressOfFile(id));
    expect(first.href).toBe(readAt(11 * hourMs - 1, addressOfFile(id)).href);
    expect(first.pathname).toBe(`/files/${id}`);
    const heldAt = (moment: number) =>
      createAddresses("secret", () => moment).teamOf(id, "", query(first));
    expect([heldAt(12 * hourMs - 1), heldAt(12 * hourMs)]).toEqual([
      "TEAM",
      null,
    ]);
  });

  it("[V4-305] is rejected when it expires later than any issued one could, even with a valid signature", () => {
    const later = query(readAt(10_000 * hourMs, addressOfFile(id)));
    const { teamOf } = createAddresses("secret", () => 10 * hourMs);
    expect(teamOf(id, "", later)).toBeNull();
    const longest = query(readAt(10 * hourMs, addressOfFile(id)));
    expect(teamOf(id, "", longest)).toBe("TEAM");
  });

  it("[V4-230] is valid for its own asset, part and team alone, with its own secret", () => {
    const address = readAt(0, addressOfFile(id, "thumbnail"));
    const { teamOf } = createAddresses("secret", () => 0);
    const given = query(address);
    expect(teamOf(id, "thumbnail", given)).toBe("TEAM");
    expect(teamOf(id, "", given)).toBeNull();
    expect(teamOf(id.replace("V", "W"), "thumbnail", given)).toBeNull();
    expect(teamOf(id, "thumbnail", { ...given, team: "OTHER" })).toBeNull();
    expect(
      teamOf(id, "thumbnail", { ...given, expires: "99999999999" }),
    ).toBeNull();
    expect(teamOf(id, "thumbnail", { ...given, signature: "x" })).toBeNull();
    expect(teamOf(id, "thumbnail", {})).toBeNull();
    const other = createAddresses("other secret", () => 0);
    expect(other.teamOf(id, "thumbnail", given)).toBeNull();
  });

  it("[V4-230] is correct for more assets of a team than are cached, and leaves text alone that only looks like one", () => {
    const { present, teamOf } = createAddresses("secret", () => 0);
    const reported = addressOfFile(id);
    for (let number = 0; number < 45_000; number += 1) {
      const each = `01ARZ3NDEKTSV4RRFFQ69${String(number).padStart(5, "0")}`;
      const text = `${reported} ${mark}${addressOfFile(each)} ${reported}`;
      const shown = present(text, () => base, "TEAM").split(" ");
      if (number % 5000 > 0) continue;
      expect([shown[0], shown[2]]).toEqual([reported, reported]);
      const address = new URL(shown[1] ?? "");
      expect(address.pathname).toBe(`/files/${each}`);
      expect(teamOf(each, "", query(address))).toBe("TEAM");
    }
  });
});
