// Every operation of version 2 as a request of the manager: the types of its input and its answer.

import * as z from "zod";
import type { shapesV2 } from "../v2/v2-answers.ts";
import type { DescribedAnswer } from "../operation-to-openapi.ts";
import type { ShapeName } from "../v2/v2-answers.ts";
import type {
  OperationId,
  OperationsV2,
  PathParameters,
} from "../v2/operations/v2-operations.ts";
import type { Wire } from "../v2/v2.ts";

/** Fields as the interface accepts them: it parses them itself and reports what is wrong with each. */
export type FieldsOfBody = Readonly<Record<string, unknown>>;

type Shapes = typeof shapesV2;

export type OperationName = OperationId;

/** The successful answer that is not binary; null without a body. */
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
        : Answer extends DescribedAnswer<ShapeName>
          ? null
          : never;

type Described<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly type: "string" }
    ? string
    : FieldsOfBody;

/** The input besides the name: nothing, parameters of the path and the query, a body, or both. */
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

/** Omitted parameters are not sent. */
type QueryOf<Operation> = Operation extends {
  readonly query: infer Query extends z.ZodObject;
}
  ? { readonly [Key in keyof z.input<Query>]: string }
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
