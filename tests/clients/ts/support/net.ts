// Ports and waiting.
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/** A port that is free at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Values as they arrive, to be awaited one by one. */
export class Arrivals<T> {
  #values: T[] = [];
  #waiting: ((value: T) => void)[] = [];

  add(value: T): void {
    const next = this.#waiting.shift();
    if (next) next(value);
    else this.#values.push(value);
  }

  /** The next value; fails where none arrives in time. */
  next(what: string, milliseconds = 20_000): Promise<T> {
    if (this.#values.length > 0) return Promise.resolve(this.#values.shift() as T);
    return new Promise((resolve, reject) => {
      const take = (value: T) => {
        clearTimeout(timer);
        resolve(value);
      };
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((waiting) => waiting !== take);
        reject(new Error(`${what} did not arrive within ${milliseconds} ms`));
      }, milliseconds);
      this.#waiting.push(take);
    });
  }

  get size(): number {
    return this.#values.length;
  }
}
