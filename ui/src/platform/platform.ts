/** What a screen needs of the place it runs in. Only the files of this folder know whether that is a browser tab or a desktop window. */
export interface Platform {
  /** Sends a request of this app to its server, signed with the bearer that this place holds. */
  send(request: Request): Promise<Response>;
  /** Whether this place holds a bearer. A window whose server trusts it always does. */
  signedIn(): boolean;
  /** Whether the person can sign out here: not where the server trusts the window. */
  readonly signsOut: boolean;
  keepBearer(bearer: string): void;
  forgetBearer(): void;
  /** The one-time token of a sign-in link, taken out of the address at once. */
  takeToken(): string | undefined;
  /** Calls back when a sign-in link arrives while the app is open. */
  onToken(tell: (token: string) => void): () => void;
  /** Follows the server's changes after event `after`, from now without one, until the stream ends (resolves) or `signal` aborts. Throws what `send` throws. */
  follow(after: number | undefined, hear: Hear, signal: AbortSignal): Promise<void>;
  /** Calls back when the system asks for a place of the app, such as `/conflict/ID`: from a tray, a notification or a link. */
  onPlace(go: (place: string) => void): () => void;
  /** Loads the page anew, at the place where it is. False where it did so a moment ago: then that did not help. */
  startAnew(): boolean;
  /** Puts a text on the clipboard. False where the clipboard is closed to the page. */
  copy(text: string): Promise<boolean>;
  /** Opens an address outside the app. */
  openLink(address: string): void;
  /** Small choices of this person on this device, such as "single letters off". */
  remember(name: string, value: string | undefined): void;
  recall(name: string): string | undefined;
  /** Settles once the drafts of a window before this one are here. Nothing is shown before. */
  ready(): Promise<void>;
  /** Text that is not written yet, for as long as this tab or window lives. `of`: with what it goes where that is erased. */
  keepDraft(name: string, text: string | undefined, of?: DraftOf): void;
  draft(name: string): string | undefined;
  /** The names of all that are kept. */
  drafts(): string[];
  /** Whether the command key takes the place of Ctrl. */
  readonly mac: boolean;
  /** What only an application of the desktop can do; absent in a browser. */
  readonly desktop?: Desktop;
}

/** What a draft belongs to. */
export interface DraftOf {
  brain: string;
  /** Absent for what is to become a unit. */
  unit?: string | undefined;
}

/** What an application of the desktop can do. Both throw what the system says where it refuses. */
export interface Desktop {
  /** Whether it starts when the person logs in. */
  startsAtLogin(): Promise<boolean>;
  startAtLogin(on: boolean): Promise<void>;
}

/** What arrives while following. */
export interface Hear {
  /** The stream stands. */
  opened(): void;
  /** One change, as JSON text. It may come twice. Its `own` speaks of whichever tab has the stream. */
  change(data: string): void;
}
