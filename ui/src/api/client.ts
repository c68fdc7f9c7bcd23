import createClient from "openapi-fetch";
import { platform } from "../platform";
import type { paths } from "./schema";
import type { Pointer, Refusal } from "./types";

/** A refusal of the server, or `gone` when it did not answer. Screens match `code`, never `message`. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly pointers: Pointer[] = [],
  ) {
    super(message);
    this.name = "ApiError";
  }
}

export const client = createClient<paths>({ baseUrl: window.location.origin, fetch: (request) => platform.send(request) });

const refused = new Set<() => void>();

/** Calls back whenever the server does not know the bearer. */
export function onUnknownBearer(tell: () => void): () => void {
  refused.add(tell);
  return () => refused.delete(tell);
}

type Answer<D> = { data?: D; error?: unknown; response: Response };

/** The answer's data, or the refusal as an `ApiError`. `bearer` is false for what was asked without one: its refusal tells nothing of it. */
export async function answer<D>(asked: Promise<Answer<D>>, { bearer = true } = {}): Promise<D> {
  let got: Answer<D>;
  try {
    got = await asked;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, "gone", error instanceof Error ? error.message : String(error));
  }
  if (got.response.ok && got.data !== undefined) return got.data;
  const refusal = got.error as Partial<Refusal> | undefined;
  if (bearer && got.response.status === 401) for (const tell of refused) tell();
  throw new ApiError(
    got.response.status,
    refusal?.code ?? `http_${got.response.status}`,
    refusal?.message ?? got.response.statusText,
    refusal?.pointers,
  );
}
