// control: next, previous and asset&{id}, handed to the director.

import type { RequestHandler } from "express";
import { Failure } from "../../core/failure.ts";
import type { Director } from "../director.ts";

export function controlGlass(
  director: Director,
): RequestHandler<{ command: string }> {
  return (request, response) => {
    obey(director, request.params.command);
    response.json("Asset switched");
  };
}

function obey(director: Director, command: string): void {
  if (command === "next" || command === "previous") director.step(command);
  else if (command.startsWith("asset&"))
    director.show(command.slice("asset&".length));
  else
    throw new Failure(
      "not-found",
      "This command is not known; there are next, previous and asset&{asset_id}.",
    );
}
