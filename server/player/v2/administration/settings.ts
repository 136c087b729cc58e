// device_settings: read and change the operator's settings while the player runs.

import type { RequestHandler } from "express";
import { playerSentences } from "../../../contract/sentences/player-sentences.ts";
import {
  settingsFromV2,
  settingsToV2,
  type Settings,
} from "../../../contract/v2/v2-settings.ts";
import { Failure, fieldFailure } from "../../../core/failure.ts";
import type { SettingsStore } from "../../settings.ts";
import { assertMayChangeAccess } from "../request/authentication.ts";

/**
 * Clients of the peer read from `auth_backend` whether they must sign in: with Basic, which accepts a token as password (V2-404).
 */
export function readSettings(
  settings: SettingsStore,
  isTokenDemanded: () => boolean,
): RequestHandler {
  return (_request, response) => {
    response.json({
      ...settingsToV2(settings.all()),
      auth_backend: isTokenDemanded() ? "auth_basic" : "",
    });
  };
}

/** They decide who can use the player (V2-786). */
const accessSettings = [
  "apiTokenRequired",
  "allowPhones",
  "corsOrigins",
] as const;

/** All or nothing: one rejected field leaves every setting as it was (V2-30). */
export function changeSettings(settings: SettingsStore): RequestHandler {
  return (request, response) => {
    const body: unknown = request.body;
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw new Failure("invalid", "The body must be an object.", {
        non_field_errors: ["The body must be an object."],
      });
    const fields = body as Readonly<Record<string, unknown>>;
    const { change, sentences } = settingsFromV2(fields);
    const before = settings.all();
    // A value that is sent back unchanged is not a change, even if it would be rejected now (V2-378).
    const stands: Readonly<Record<string, unknown>> = settingsToV2(before);
    const validationErrors = Object.entries(sentences).filter(
      ([name]) => fields[name] !== stands[name],
    );
    if (validationErrors.length > 0)
      throw new Failure(
        "invalid",
        playerSentences["setting-invalid"],
        Object.fromEntries(validationErrors),
      );
    const isAccess = accessSettings.some(
      (name) => change[name] !== undefined && change[name] !== before[name],
    );
    if (isAccess) assertMayChangeAccess(response);
    assertWayOut(before, change);
    settings.change(change);
    response.json({ message: "Settings were successfully saved." });
  };
}

/** On an unattended screen the shortcut is the only way out: without one, nobody could open the manager again (V2-376). */
function assertWayOut(before: Settings, change: Partial<Settings>): void {
  const { profile, exitHotkey } = { ...before, ...change };
  if (profile !== "unattended" || exitHotkey !== "") return;
  if (change.exitHotkey !== undefined)
    throw fieldFailure("exit_hotkey", playerSentences["hotkey-required"]);
  if (change.profile !== undefined)
    throw fieldFailure("profile", playerSentences["hotkey-first"]);
}
