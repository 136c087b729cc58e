// Command about what a player shows at this moment.

import * as z from "zod";
import { reading } from "../command.ts";
import { dataOf } from "../connection.ts";
import { detailsText, momentText } from "../output/text.ts";

export const now = reading({
  name: "now",
  summary: "Show what is playing on a player, and why",
  input: z.object({}),
  onPlayer: async (player) => {
    const data = await dataOf(player, player.client.GET("/api/v2/now"));
    const { showing, next, player_name, paused_until } = data;
    return {
      data,
      text: detailsText([
        ["Player", player_name],
        ["Shows", showing?.name ?? "nothing yet"],
        ["Why", showing?.explanation ?? null],
        ["Playlist", showing?.playlist?.name ?? null],
        ["Since", momentText(showing?.since)],
        ["Until", momentText(showing?.until)],
        ["Verified", showing?.verdict ?? null],
        ["Next", next?.name ?? null],
        ["Paused until", momentText(paused_until)],
      ]),
    };
  },
});
