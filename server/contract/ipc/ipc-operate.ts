// Every operation of version 2 as a question of the manager's: what each takes and answers, and how a refusal crosses.

import * as z from "zod";
import type { FailureCode, FieldSentences } from "../../core/failure.ts";
import type { shapesV2 } from "../v2/v2-answers.ts";
import type { AnswerV2 } from "../v2/v2-operation.ts";
import type {
  OperationId,
  OperationsV2,
  PathParameters,
} from "../v2/v2-operations.ts";
import type { Wire } from "../v2/v2.ts";

/** Fields as the interface takes them: it parses them itself and says what is wrong with each. */
export type FieldsOfBody = Readonly<Record<string, unknown>>;

type Shapes = typeof shapesV2;

export type OperationName = OperationId;

/** Of its answers the one that is no bytes; null where there is no body. */
export type OperationAnswer<Name extends OperationName> = Answered<
  OperationsV2[Name]["answers"][keyof OperationsV2[Name]["answers"]]
>;

type Answered<Answer> = Answer extends { readonly shape: keyof Shapes }
  ? Wire<Shapes[Answer["shape"]]>
  : Answer extends { readonly list: keyof Shapes }
    ? readonly Wire<Shapes[Answer["list"]]>[]
    : Answer extends { readonly schema: infer Schema }
      ? Described<Schema>
      : Answer extends { readonly type: string }
        ? never
        : Answer extends AnswerV2
          ? null
          : never;

type Described<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly type: "string" }
    ? string
    : FieldsOfBody;

/** What has to be given beside the name: nothing, parameters of the path and the query, a body, or both. */
export type OperationInput<Name extends OperationName> = ParametersOf<
  OperationsV2[Name]
> &
  BodyOf<OperationsV2[Name]>;

type ParametersOf<Operation extends { readonly path: string }> =
  unknown extends PathParameters<Operation["path"]>
    ? { readonly parameters?: QueryOf<Operation> }
    : {
        readonly parameters: PathParameters<Operation["path"]> &
          QueryOf<Operation>;
      };

/** What is left out is not asked for. */
type QueryOf<Operation> = Operation extends {
  readonly parameters: readonly (infer Parameter)[];
}
  ? {
      readonly [
        Key in Extract<Parameter, { readonly in: "query" }> as Key extends {
          readonly name: infer Known extends string;
        }
          ? Known
          : never
      ]?: string;
    }
  : Readonly<Record<never, string>>;

type BodyOf<Operation> = Operation extends {
  readonly body: { readonly shape: infer Shape extends keyof Shapes };
}
  ? {
      readonly body: {
        readonly [Key in keyof z.input<Shapes[Shape]>]: unknown;
      };
    }
  : object;

export const operateInput = z.object({
  operation: z.string().max(100),
  parameters: z.record(z.string(), z.string().max(8192)).optional(),
  body: z.unknown().optional(),
});

/** A refusal is an answer too: an error would lose its fields on the way between the worlds of a page. */
export type OperateOutcome =
  | { readonly isDone: true; readonly answer: unknown }
  | {
      readonly isDone: false;
      readonly code: FailureCode;
      readonly message: string;
      /** Sentences per field, as the interface gave them. */
      readonly fields: FieldSentences | null;
    };
