// All request and response shapes of version 3, by their names in the OpenAPI description.

import * as z from "zod";
import {
  alertIncidentV3,
  alertRuleCreateV3,
  alertRuleUpdateV3,
  alertRuleV3,
  alertTestV3,
} from "../v3-alerts.ts";
import { adoptedChangeV3, adoptPlayerV3 } from "../v3-adopted.ts";
import {
  deployedV3,
  deployV3,
  outstandingV3,
  previewV3,
} from "../v3-edge-apps.ts";
import { outageTotalV3, screenOutageV3 } from "../v3-outages.ts";
import { playbackTotalV3 } from "../v3-playback-report.ts";
import { screenScheduleV3 } from "../v3-screen-schedule.ts";
import {
  screenActionV3,
  screenAssignmentsV3,
  screenChangesV3,
  screenCommandStateV3,
  screenCommandsV3,
  screenCommandTotalsV3,
  screenCommandV3,
  screenLiveV3,
  screenReplaceV3,
  screenStateV3,
  screenWatchV3,
} from "../v3-screens.ts";
import {
  assertionCreateV3,
  assertionUpdateV3,
  assertionV3,
  whatIfRequestV3,
  whatIfV3,
} from "../v3-what-if.ts";
import {
  assetCreateV3,
  assetUpdateV3,
  assetUploadV3,
  assetV3,
  evaluatePredicateV3,
  evaluationV3,
  groupCreateV3,
  groupUpdateV3,
  groupV3,
  meV3,
  placesV3,
  playbackV3,
  playlistCreateV3,
  playlistListV3,
  playlistUpdateV3,
  playlistV3,
  screenCreateV3,
  screenListV3,
  screenUpdateV3,
  screenV3,
  validatePredicateV3,
  validationV3,
} from "../v3.ts";

/** The same for every operation: one sentence, or sentences by field (V3-4). */
const refusal = z.union([
  z.object({ detail: z.string() }),
  z.record(z.string(), z.array(z.string())),
]);

const file = z.unknown().meta({
  description: "The file; the kind is determined from the bytes.",
  contentMediaType: "application/octet-stream",
});

export const shapesV3 = {
  Asset: assetV3,
  CreateAsset: assetCreateV3,
  UploadAsset: z.object({ file, ...assetUploadV3.shape }),
  UpdateAsset: assetUpdateV3,
  Group: groupV3,
  CreateGroup: groupCreateV3,
  UpdateGroup: groupUpdateV3,
  Playlist: playlistV3,
  ListedPlaylist: playlistListV3,
  CreatePlaylist: playlistCreateV3,
  UpdatePlaylist: playlistUpdateV3,
  Screen: screenV3,
  ListedScreen: screenListV3,
  CreateScreen: screenCreateV3,
  UpdateScreen: screenUpdateV3,
  ReplaceScreen: screenReplaceV3,
  ScreenState: screenStateV3,
  ScreenChanges: screenChangesV3,
  ScreenSchedule: screenScheduleV3,
  WatchScreen: screenWatchV3,
  LivePicture: screenLiveV3,
  AssignScreens: screenAssignmentsV3,
  AssignedScreens: z.object({ screens: z.int().nonnegative() }),
  AdoptPlayer: adoptPlayerV3,
  UpdateAdoptedPlayer: adoptedChangeV3,
  SendCommand: screenCommandV3,
  SendCommands: screenCommandsV3,
  Command: screenCommandStateV3,
  CommandAction: screenActionV3,
  CommandTotals: screenCommandTotalsV3,
  Outage: screenOutageV3,
  OutageTotal: outageTotalV3,
  Playback: playbackV3,
  PlaybackTotal: playbackTotalV3,
  Places: placesV3,
  ValidatePredicate: validatePredicateV3,
  PredicateValidation: validationV3,
  EvaluatePredicate: evaluatePredicateV3,
  PredicateResult: evaluationV3,
  AlertRule: alertRuleV3,
  CreateAlertRule: alertRuleCreateV3,
  UpdateAlertRule: alertRuleUpdateV3,
  AlertIncident: alertIncidentV3,
  AlertTest: alertTestV3,
  WhatIfRequest: whatIfRequestV3,
  WhatIf: whatIfV3,
  Assertion: assertionV3,
  CreateAssertion: assertionCreateV3,
  UpdateAssertion: assertionUpdateV3,
  DeployApp: deployV3,
  DeployPreview: previewV3,
  DeployedApp: deployedV3,
  OutstandingFiles: z.object({ outstanding: outstandingV3 }),
  OauthToken: z.looseObject({ token: z.string() }),
  OauthError: z.object({ error: z.string() }),
  Me: meV3,
  Refusal: refusal,
} as const satisfies Record<string, z.ZodType>;

export type ShapeNameV3 = keyof typeof shapesV3;
