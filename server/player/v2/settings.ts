// device_settings: read and change what the operator may change while the player runs.

import type { RequestHandler } from "express";
import { settingsFromV2, settingsToV2 } from "../../contract/v2-settings.ts";
import { Failure } from "../../core/failure.ts";
import type { SettingsStore } from "../settings.ts";

export function readSettings(settings: SettingsStore): RequestHandler {
  return (_request, response) => {
    response.json(settingsToV2(settings.all()));
  };
}

/** All or nothing: one refused field leaves every setting as it was (V2-30). */
export function changeSettings(settings: SettingsStore): RequestHandler {
  return (request, response) => {
    const body: unknown = request.body;
    if (typeof body !== "object" || body === null || Array.isArray(body))
      throw new Failure("invalid", "The body must be an object.", {
        non_field_errors: ["The body must be an object."],
      });
    const { change, sentences } = settingsFromV2(
      body as Record<string, unknown>,
    );
    if (Object.keys(sentences).length > 0)
      throw new Failure("invalid", "A setting is refused.", sentences);
    settings.change(change);
    response.json({ message: "Settings were successfully saved." });
  };
}
