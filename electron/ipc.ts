// IPC of the main process, the only file that uses ipcMain: typed from the contract, sender checked, input parsed, results
// wrapped.

import { ipcMain, type WebContents, type WebFrameMain } from "electron";
import { generalSentences } from "../server/contract/sentences/general-sentences.ts";
import {
  Failure,
  managerQuestions,
  stageReports,
  type Crossing,
  type ManagerAnswers,
  type ManagerEvents,
  type ManagerInput,
  type ManagerQuestion,
  type StageOrders,
  type StageReport,
  type StageReportValue,
} from "../server/contract/ipc/ipc.ts";
import {
  pinPadRequest,
  type PinPadOutcome,
  type PinPadState,
  type PinPadRequest,
} from "../server/contract/ipc/ipc-pin-pad.ts";

export interface PinPadCalls {
  state(): Promise<PinPadState>;
  request(request: PinPadRequest): Promise<PinPadOutcome>;
}

/** One handler per call, enforced by the compiler. */
export type ManagerCalls = {
  readonly [Q in ManagerQuestion]: (
    input: ManagerInput<Q>,
  ) => ManagerAnswers[Q] | Promise<ManagerAnswers[Q]>;
};

export type StageEars = {
  readonly [R in StageReport]: (value: StageReportValue<R>) => void;
};

/** Whether these are the contents of the window that may make the call. */
type IsTrusted = (contents: WebContents) => boolean;

/** Passes the list of calls to a preload script: their schemas are too heavy for it. */
export function questionsArgument(): string {
  return `--questions=${Object.keys(managerQuestions).join()}`;
}

export function answerManager(
  calls: ManagerCalls,
  isTrusted: IsTrusted,
  onBug: (question: string, error: unknown) => void,
): void {
  for (const question of Object.keys(managerQuestions) as ManagerQuestion[])
    ipcMain.handle(
      `manager:${question}`,
      async (event, input: unknown): Promise<Crossing<unknown>> => {
        if (!isFrom(event, "manager", isTrusted))
          return failed("forbidden", "This page is not allowed to do this.");
        try {
          return { ok: true, value: await dispatch(calls, question, input) };
        } catch (error) {
          if (error instanceof Failure)
            return failed(error.code, error.message);
          onBug(question, error);
          return failed("bug", generalSentences.unforeseen);
        }
      },
    );
}

export function sendToManager<E extends keyof ManagerEvents>(
  contents: WebContents,
  event: E,
  value: ManagerEvents[E],
): void {
  contents.send(`manager:${event}`, value);
}

/** The PIN pad's two calls; a request that does not parse is rejected like a wrong PIN. */
export function answerPinPad(
  calls: PinPadCalls,
  isTrusted: IsTrusted,
): () => void {
  ipcMain.handle("pin-pad:state", (event) =>
    isFrom(event, "pin-pad", isTrusted) ? calls.state() : null,
  );
  ipcMain.handle("pin-pad:request", (event, value: unknown) => {
    const request = pinPadRequest.safeParse(value);
    return isFrom(event, "pin-pad", isTrusted) && request.success
      ? calls.request(request.data)
      : null;
  });
  return () => {
    ipcMain.removeHandler("pin-pad:state");
    ipcMain.removeHandler("pin-pad:request");
  };
}

/** Reports that do not parse, or come from elsewhere, are ignored. */
export function listenToStage(ears: StageEars, isTrusted: IsTrusted): void {
  receive("started");
  receive("showing");

  function receive<R extends StageReport>(report: R): void {
    ipcMain.on(`playback:${report}`, (event, value: unknown) => {
      if (!isFrom(event, "playback", isTrusted)) return;
      const parsed = stageReports[report].safeParse(value);
      if (parsed.success) ears[report](parsed.data as StageReportValue<R>);
    });
  }
}

export function orderStage<O extends keyof StageOrders>(
  contents: WebContents,
  order: O,
  value: StageOrders[O],
): void {
  contents.send(`playback:${order}`, value);
}

function dispatch<Q extends ManagerQuestion>(
  calls: ManagerCalls,
  question: Q,
  input: unknown,
): ManagerAnswers[Q] | Promise<ManagerAnswers[Q]> {
  const parsed = managerQuestions[question].safeParse(input);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const where = issue?.path.join(".") || "The input";
    throw new Failure("invalid", `${where}: ${issue?.message}.`);
  }
  return calls[question](parsed.data as ManagerInput<Q>);
}

interface Sent {
  readonly sender: WebContents;
  readonly senderFrame: WebFrameMain | null;
}

/** From the top frame of the right window, which still shows the page it was created for. */
function isFrom(
  event: Sent,
  page: "manager" | "playback" | "pin-pad",
  isTrusted: IsTrusted,
) {
  const { sender, senderFrame } = event;
  return (
    senderFrame !== null &&
    senderFrame === sender.mainFrame &&
    isTrusted(sender) &&
    senderFrame.url.startsWith(`app://${page}/`)
  );
}

function failed(
  code: (Crossing<never> & { ok: false })["code"],
  message: string,
): Crossing<never> {
  return { ok: false, code, message };
}
