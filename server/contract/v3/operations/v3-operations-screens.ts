// Operations of version 3 on screens: the screens themselves, groups, commands, adopted players, outages and playbacks.

import { refToV3 } from "./ref-to-v3.ts";
import { outageTotalsQueryV3, screenOutagesQueryV3 } from "../v3-outages.ts";
import { playbackReportQueryV3 } from "../v3-playback-report.ts";
import { screenScheduleQueryV3 } from "../v3-screen-schedule.ts";
import { screenCommandsQueryV3, screenStatesQueryV3 } from "../v3-screens.ts";
import { geocodeQueryV3, playbackQueryV3 } from "../v3.ts";
import {
  applyAnyway,
  changedSince,
  deleted,
  exampleId,
  heldBack,
  idOf,
  ifMatch,
  invalid,
  invalidQuery,
  notFound,
  operation,
} from "./v3-operation.ts";
import { explained } from "./v3-query-texts.ts";

const screen = idOf("screen");
const oneScreen = { description: "The screen.", shape: "Screen" } as const;
const screenRefusals = { ...invalid, ...notFound, ...heldBack };
const pinRefusals = {
  ...{ 400: "The PIN is wrong, used or expired, or a field is not valid." },
  429: "Too many wrong PINs; see Retry-After.",
};

const taggedScreen = { ...oneScreen, isTagged: true } as const;
const changedScreen = {
  group: "Screens",
  rules: [8, 43, 44, 80, 107, 108, 150, 151, 152],
  parameters: [screen, applyAnyway, ifMatch],
  body: {
    shape: "UpdateScreen",
    example: { name: "Lobby", timezone: "Europe/Berlin" },
  },
  answers: { 200: taggedScreen },
  refusals: { ...screenRefusals, ...changedSince },
} as const;

const ofScreens = [
  operation("get", "/screens/", {
    ...{ id: "listScreens", group: "Screens", rules: [9, 41] },
    summary: "List screens",
    answers: { 200: { description: "All screens.", list: "ListedScreen" } },
  }),
  operation("post", "/screens/", {
    ...{ id: "addScreen", group: "Screens", rules: [6, 40, 42] },
    summary: "Add a player that shows a PIN as a screen",
    body: { shape: "CreateScreen", example: { pin: "7KQ2MD", name: "Lobby" } },
    answers: { 201: oneScreen },
    refusals: { ...invalid, ...pinRefusals },
  }),
  operation("get", "/screens/states/", {
    ...{ id: "listScreenStates", group: "Screens", rules: [81, 112, 120] },
    summary: "List screens with what they show, their state and its reason",
    query: explained(screenStatesQueryV3, {
      state: ["Only screens in these states.", "offline"],
      since: [
        "The revision of the last response, or empty: the list in parts, then only what changed.",
        "",
      ],
      limit: ["The maximum number of screens in a part.", "1000"],
    }),
    answers: {
      200: {
        description: "All screens or, with `since`, one part of the list.",
        schema: {
          anyOf: [
            { type: "array", items: refToV3("ScreenState") },
            refToV3("ScreenChanges"),
          ],
        },
      },
      304: { description: "Unchanged." },
    },
    refusals: invalidQuery,
  }),
  operation("get", "/screens/:id/", {
    ...{ id: "readScreen", group: "Screens", rules: [41, 43, 80, 150] },
    summary: "Get a screen",
    parameters: [screen],
    answers: { 200: taggedScreen },
    refusals: notFound,
  }),
  operation("put", "/screens/:id/", {
    ...changedScreen,
    id: "replaceScreenFields",
    summary: "Update a screen with the object as it was read",
  }),
  operation("patch", "/screens/:id/", {
    ...changedScreen,
    id: "updateScreen",
    summary: "Update the given fields of a screen",
  }),
  operation("delete", "/screens/:id/", {
    ...{ id: "deleteScreen", group: "Screens", rules: [45, 151, 152] },
    summary: "Delete a screen",
    parameters: [screen, ifMatch],
    answers: deleted,
    refusals: { ...notFound, ...changedSince },
  }),
  operation("post", "/screens/:id/replace/", {
    ...{ id: "replacePlayer", group: "Screens", rules: [42, 121] },
    summary: "Replace a screen's player with one that shows a PIN",
    parameters: [screen],
    body: { shape: "ReplaceScreen", example: { pin: "7KQ2MD" } },
    answers: { 200: oneScreen },
    refusals: {
      ...{ ...invalid, ...notFound, ...pinRefusals },
      409: "The current player is online.",
    },
  }),
  operation("get", "/screens/:id/schedule/", {
    ...{ id: "explainScreen", group: "Screens", rules: [123] },
    summary: "Get what is due on a screen at a given time, and why",
    parameters: [screen],
    query: explained(screenScheduleQueryV3),
    answers: {
      200: {
        description: "What is due, and the reason for each candidate.",
        shape: "ScreenSchedule",
      },
    },
    refusals: { ...invalidQuery, ...notFound },
  }),
  operation("post", "/screens/:id/watch/", {
    ...{ id: "watchScreen", group: "Screens", rules: [130, 131] },
    summary: "Get a live picture of a screen; repeat this every second",
    parameters: [screen],
    body: { shape: "WatchScreen", example: {}, isOptional: true },
    answers: { 200: { description: "The picture.", shape: "LivePicture" } },
    refusals: {
      ...{ ...invalid, ...notFound },
      429: "50 other screens are being watched; see Retry-After.",
    },
  }),
  operation("post", "/screens/assignments/", {
    ...{ id: "assignScreens", group: "Screens", rules: [107, 108, 124] },
    summary: "Add screens to groups and playlists, or remove them",
    parameters: [applyAnyway],
    body: {
      shape: "AssignScreens",
      example: { screens: [exampleId], add_groups: [exampleId] },
    },
    answers: {
      200: { description: "How many screens.", shape: "AssignedScreens" },
    },
    refusals: { ...invalid, ...heldBack },
  }),
  operation("get", "/screens/geocode", {
    ...{ id: "findPlaces", group: "Screens", rules: [47, 48] },
    summary: "Find places by address or position",
    query: explained(geocodeQueryV3),
    answers: {
      200: { description: "Up to ten places.", shape: "Places" },
    },
    refusals: invalidQuery,
  }),
  operation("post", "/screens/adopted/", {
    ...{ id: "adoptPlayer", group: "Screens", rules: [110, 111, 117] },
    summary: "Add an Anthias player as a screen",
    body: {
      shape: "AdoptPlayer",
      example: { address: "192.168.1.20", name: "Canteen" },
    },
    answers: { 201: oneScreen },
    refusals: {
      ...invalid,
      409: "The limit of 500 adopted players has been reached.",
    },
  }),
  operation("patch", "/screens/adopted/:id/", {
    ...{ id: "updateAdoptedPlayer", group: "Screens", rules: [111, 117] },
    summary: "Change the address or sign-in of an adopted player",
    parameters: [screen],
    body: {
      shape: "UpdateAdoptedPlayer",
      example: { address: "192.168.1.21" },
    },
    answers: { 200: oneScreen },
    refusals: { ...invalid, ...notFound },
  }),
] as const;

const commandsQuery = explained(screenCommandsQueryV3, {
  state: ["Only commands in these states.", "failed"],
});

const ofCommands = [
  operation("post", "/screens/:id/commands/", {
    ...{ id: "sendCommand", group: "Commands", rules: [46, 82] },
    summary: "Send a command to a screen",
    parameters: [screen],
    body: { shape: "SendCommand", example: { kind: "identify" } },
    answers: { 201: { description: "The command.", shape: "Command" } },
    refusals: { ...invalid, ...notFound },
  }),
  operation("get", "/screens/commands/", {
    ...{ id: "listCommands", group: "Commands", rules: [83, 122] },
    summary: "List the commands of the last seven days, newest first",
    query: commandsQuery,
    answers: { 200: { description: "At most 500.", list: "Command" } },
    refusals: invalidQuery,
  }),
  operation("post", "/screens/commands/", {
    ...{ id: "sendCommands", group: "Commands", rules: [82] },
    summary: "Send a command to many screens",
    body: {
      shape: "SendCommands",
      example: { kind: "identify", groups: ["all-screens"] },
    },
    answers: {
      201: {
        description: "The action, with a command for each screen.",
        shape: "CommandAction",
      },
    },
    refusals: invalid,
  }),
  operation("get", "/screens/commands/totals/", {
    ...{ id: "countCommands", group: "Commands", rules: [122] },
    summary: "Count commands by state",
    query: commandsQuery,
    answers: { 200: { description: "How many.", shape: "CommandTotals" } },
    refusals: invalidQuery,
  }),
  operation("get", "/screens/commands/:id/bundle/", {
    ...{ id: "readSupportBundle", group: "Commands", rules: [132] },
    summary: "Download the support bundle that a command collected",
    parameters: [idOf("command")],
    answers: {
      200: { description: "A compressed archive.", type: "application/gzip" },
    },
    refusals: { 403: "An API key is required.", ...notFound },
  }),
] as const;

const group = idOf("group");
const oneGroup = { description: "The group.", shape: "Group" } as const;
const taggedGroup = { ...oneGroup, isTagged: true } as const;
const changedGroup = {
  group: "Groups",
  rules: [8, 20, 21, 22, 107, 108, 150, 151, 152],
  parameters: [group, applyAnyway, ifMatch],
  body: { shape: "UpdateGroup", example: { name: "Hamburg" } },
  answers: { 200: taggedGroup },
  refusals: { ...invalid, ...notFound, ...heldBack, ...changedSince },
} as const;

const ofGroups = [
  operation("get", "/groups/", {
    ...{ id: "listGroups", group: "Groups", rules: [9, 20, 24] },
    summary: "List groups with their screens",
    answers: { 200: { description: "All groups.", list: "Group" } },
  }),
  operation("post", "/groups/", {
    ...{ id: "createGroup", group: "Groups", rules: [6, 21] },
    summary: "Create a group",
    body: {
      shape: "CreateGroup",
      example: { name: "Hamburg", screens: [{ id: exampleId }] },
    },
    answers: { 201: oneGroup },
    refusals: invalid,
  }),
  operation("get", "/groups/:id/", {
    ...{ id: "readGroup", group: "Groups", rules: [20, 24, 150] },
    summary: "Get a group",
    parameters: [group],
    answers: { 200: taggedGroup },
    refusals: notFound,
  }),
  operation("put", "/groups/:id/", {
    ...changedGroup,
    id: "replaceGroupFields",
    summary: "Update a group with the object as it was read",
  }),
  operation("patch", "/groups/:id/", {
    ...changedGroup,
    id: "updateGroup",
    summary: "Update the given fields of a group",
  }),
  operation("delete", "/groups/:id/", {
    ...{
      id: "deleteGroup",
      group: "Groups",
      rules: [22, 23, 107, 108, 151, 152],
    },
    summary: "Delete a group",
    parameters: [group, applyAnyway, ifMatch],
    answers: deleted,
    refusals: {
      400: "It is built in.",
      ...notFound,
      ...heldBack,
      ...changedSince,
    },
  }),
] as const;

const ofHistory = [
  operation("get", "/screens/outages/", {
    ...{ id: "listOutages", group: "Outages", rules: [84, 85] },
    summary: "List outages with their causes, ongoing ones first",
    query: explained(screenOutagesQueryV3, {
      state: ["Only outages in these states.", "offline"],
    }),
    answers: {
      200: { description: "The outages.", list: "Outage", isTable: true },
    },
    refusals: invalidQuery,
  }),
  operation("get", "/screens/outages/totals/", {
    ...{ id: "totalOutages", group: "Outages", rules: [85, 86] },
    summary: "Add up outages by screen, group or month",
    query: explained(outageTotalsQueryV3, {
      state: ["Only outages in these states.", "offline"],
    }),
    answers: {
      200: { description: "The totals.", list: "OutageTotal", isTable: true },
    },
    refusals: invalidQuery,
  }),
  operation("get", "/playbacks", {
    ...{ id: "listPlaybacks", group: "Playbacks", rules: [54] },
    summary: "List playbacks, newest first",
    query: explained(playbackQueryV3),
    answers: {
      200: { description: "The playbacks.", list: "Playback", isTable: true },
    },
    refusals: invalidQuery,
  }),
  operation("get", "/playbacks/report", {
    ...{ id: "reportPlaybacks", group: "Playbacks", rules: [87] },
    summary: "Add up playbacks",
    query: explained(playbackReportQueryV3, {
      by: ["What the totals distinguish.", "asset"],
    }),
    answers: {
      200: { description: "The totals.", list: "PlaybackTotal", isTable: true },
    },
    refusals: invalidQuery,
  }),
] as const;

export const screenOperationsV3 = [
  ...ofScreens,
  ...ofCommands,
  ...ofGroups,
  ...ofHistory,
] as const;
