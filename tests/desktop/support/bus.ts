// The session bus as a desktop's parts see it: calls, the tray, notifications.
import { createClient, createConnection, messageType, type Message, type MessageBus } from "dbus-native";
import { Arrivals } from "../../clients/ts/support/net.ts";
import { until } from "./until.ts";

const DBUS = { destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus" };

/** A connection that calls. */
export class Bus {
  readonly #bus: MessageBus;

  constructor(address: string) {
    this.#bus = createClient({ busAddress: address });
  }

  /** Calls a method; resolves to the values of its reply. */
  call(to: { destination: string; path: string; interface: string }, member: string, signature = "", ...body: unknown[]) {
    return new Promise<any[]>((resolve, reject) => {
      const message: Message = { ...to, member, ...(signature === "" ? {} : { signature, body }) };
      this.#bus.invoke(message, { timeout: 5_000 }, (error, ...values) => (error ? reject(error) : resolve(values)));
    });
  }

  async property(destination: string, path: string, of: string, name: string): Promise<any> {
    const to = { destination, path, interface: "org.freedesktop.DBus.Properties" };
    return (await this.call(to, "Get", "ss", of, name))[0];
  }

  /** The process that has a name. */
  async processOf(name: string): Promise<number> {
    return (await this.call(DBUS, "GetConnectionUnixProcessID", "s", name))[0];
  }

  async hasOwner(name: string): Promise<boolean> {
    return (await this.call(DBUS, "NameHasOwner", "s", name))[0];
  }

  /** The names that someone has. */
  async names(): Promise<string[]> {
    return (await this.call(DBUS, "ListNames"))[0];
  }

  /** Watches over tray icons, as a desktop's service does that runs without a panel: nobody shows any. */
  async watchWithoutHost(): Promise<void> {
    const name = "org.kde.StatusNotifierWatcher";
    const properties = { IsStatusNotifierHostRegistered: "b", RegisteredStatusNotifierItems: "as", ProtocolVersion: "i" };
    const watcher = {
      IsStatusNotifierHostRegistered: false,
      RegisteredStatusNotifierItems: [],
      ProtocolVersion: 0,
      RegisterStatusNotifierItem: () => undefined,
      RegisterStatusNotifierHost: () => undefined,
    };
    const methods = { RegisterStatusNotifierItem: ["s", ""], RegisterStatusNotifierHost: ["s", ""] };
    this.#bus.exportInterface(watcher, "/StatusNotifierWatcher", { name, methods, properties } as never);
    await this.#bus.requestName(name, 0);
  }

  close(): void {
    this.#bus.connection.end();
  }
}

/** A line of the tray's menu. */
export interface Item {
  id: number;
  label: string;
  enabled: boolean;
  separator: boolean;
  items: Item[];
}

function item([id, properties, children]: [number, Record<string, any>, any[]]): Item {
  return {
    id,
    // A single underscore marks the letter that chooses the line.
    label: String(properties.label ?? "").replace(/_(.)/g, "$1"),
    enabled: properties.enabled !== false,
    separator: properties.type === "separator",
    items: children.map((child) => item(child)).filter((_, at) => children[at][1].visible !== false),
  };
}

/** The one icon in the tray, by way of the panel that shows it. */
export class Tray {
  readonly #bus: Bus;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** The icons that the panel was told of, as `name/path`. */
  async icons(): Promise<string[]> {
    const watcher = "org.kde.StatusNotifierWatcher";
    return this.#bus.property(watcher, "/StatusNotifierWatcher", watcher, "RegisteredStatusNotifierItems");
  }

  async #of(name: string): Promise<any> {
    const [icon, ...others] = await this.icons();
    if (icon === undefined || others.length > 0) throw new Error(`${others.length + (icon ? 1 : 0)} icons in the tray`);
    const at = icon.indexOf("/");
    const [owner, path] = [icon.slice(0, at), icon.slice(at)];
    const value = await this.#bus.property(owner, path, "org.kde.StatusNotifierItem", name);
    return name === "Menu" ? { destination: owner, path: value } : value;
  }

  /** The picture that the icon shows, as a file. */
  async picture(): Promise<string> {
    const [name, folder] = [await this.#of("IconName"), await this.#of("IconThemePath")];
    return name.startsWith("/") ? name : `${folder}/${name}.png`;
  }

  /** The pictures of all icons, as files, where there may be several. */
  async pictures(): Promise<string[]> {
    const icons = await this.icons();
    return Promise.all(
      icons.map((icon) => {
        const at = icon.indexOf("/");
        return this.#bus.property(icon.slice(0, at), icon.slice(at), "org.kde.StatusNotifierItem", "IconName");
      }),
    );
  }

  async #menu() {
    return { ...(await this.#of("Menu")), interface: "com.canonical.dbusmenu" };
  }

  /** The lines of the menu, with those beneath them. */
  async menu(): Promise<Item[]> {
    const [, top] = await this.#bus.call(await this.#menu(), "GetLayout", "iias", 0, -1, []);
    return item(top).items;
  }

  /** The words of the menu's lines, without the rules between them. */
  async labels(): Promise<string[]> {
    return (await this.menu()).filter(({ separator }) => !separator).map(({ label }) => label);
  }

  /** Chooses the line that reads like this, looking beneath lines too, as soon as it is there. */
  async choose(label: RegExp): Promise<void> {
    const find = (items: Item[]): Item | undefined => {
      for (const one of items) {
        const found = label.test(one.label) && one.items.length === 0 ? one : find(one.items);
        if (found) return found;
      }
      return undefined;
    };
    const found = await until(`the tray's menu has ${label}`, async () => find(await this.menu()));
    if (!found.enabled) throw new Error(`${found.label} cannot be chosen`);
    const menu = await this.#menu();
    await this.#bus.call(menu, "Event", "isvu", found.id, "clicked", ["i", 0], Math.floor(Date.now() / 1000));
  }
}

/** A notification that was shown. */
export interface Notification {
  id: number;
  /** The number of one that it takes the place of, or 0. */
  replaces: number;
  app: string;
  summary: string;
  body: string;
  /** Keys and labels in turn. */
  actions: string[];
  hints: Record<string, unknown>;
}

/** Overhears what goes to the notification daemon and comes from it, whichever daemon it is. */
export class Notifications {
  readonly shown: Notification[] = [];
  readonly arrived = new Arrivals<Notification>();
  /** Those that their sender took back. */
  readonly withdrawn: number[] = [];
  /** Those that are gone, with the daemon's reason: 1 expired, 2 dismissed, 3 taken back. */
  readonly closed = new Map<number, number>();
  readonly #connection;
  readonly #asked = new Map<string, Omit<Notification, "id">>();

  private constructor(address: string) {
    this.#connection = createConnection({ busAddress: address });
  }

  static async over(address: string): Promise<Notifications> {
    const overhears = new Notifications(address);
    const connection = overhears.#connection;
    const replies = new Map<number, (message: Message) => void>();
    connection.on("message", (message) => {
      const wanted = message.type === messageType.methodReturn ? replies.get(message.replySerial!) : undefined;
      if (wanted) wanted(message);
      else overhears.#hear(message);
    });
    // The library's own client would answer calls that are meant for others.
    let serial = 0;
    const ask = (message: Message) =>
      new Promise<Message>((resolve, reject) => {
        replies.set(++serial, resolve);
        connection.once("error", reject);
        connection.message({ ...DBUS, type: messageType.methodCall, serial, ...message });
      });
    await new Promise<void>((resolve) => connection.on("connect", resolve));
    await ask({ member: "Hello" });
    const rules = ["interface='org.freedesktop.Notifications'", "type='method_return'", "type='error'"];
    const monitoring = { interface: "org.freedesktop.DBus.Monitoring", member: "BecomeMonitor" };
    await ask({ ...monitoring, signature: "asu", body: [rules, 0] });
    return overhears;
  }

  #hear(message: Message): void {
    const { type, member, body = [] } = message;
    if (type === messageType.methodCall && member === "Notify") {
      const [app, replaces, , summary, text, actions, hints] = body as any[];
      this.#asked.set(`${message.sender} ${message.serial}`, { app, replaces, summary, body: text, actions, hints });
    } else if (type === messageType.methodCall && member === "CloseNotification") {
      this.withdrawn.push(body[0] as number);
    } else if (type === messageType.methodReturn) {
      const call = `${message.destination} ${message.replySerial}`;
      const asked = this.#asked.get(call);
      if (!asked) return;
      this.#asked.delete(call);
      const notification = { id: body[0] as number, ...asked };
      this.shown.push(notification);
      this.arrived.add(notification);
    } else if (type === messageType.signal && member === "NotificationClosed") {
      this.closed.set(body[0] as number, body[1] as number);
    }
  }

  /** Those that stand on the screen now; one that was replaced counts once. */
  standing(): Notification[] {
    const latest = new Map(this.shown.map((notification) => [notification.id, notification]));
    return [...latest.values()].filter(({ id }) => !this.closed.has(id));
  }

  close(): void {
    this.#connection.end();
  }
}
