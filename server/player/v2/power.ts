// reboot and shutdown: answered at once, done once.

import type { RequestHandler } from "express";
import type { Power, PowerDeed } from "../power.ts";

export function askPower(power: Power, deed: PowerDeed): RequestHandler {
  return (_request, response) => {
    power.ask(deed);
    response.status(200).end();
  };
}
