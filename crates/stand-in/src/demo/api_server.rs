//! The jobs in the project "api-server".

use super::{Desk, Job};

const DIRECTORY: &str = "/home/dev/api-server";

pub(super) fn desks() -> [Desk; 2] {
    [
        Desk { directory: DIRECTORY, jobs: vec![flaky_login(), rate_limit(), endless_build()] },
        Desk { directory: DIRECTORY, jobs: vec![database_driver(), test_database(), health_route()] },
    ]
}

fn flaky_login() -> Job {
    Job::new(
        "Fix the flaky login test",
        r##"The login test fails about one time in five. Find out why, and fix it.
---
say I will run the test often enough to see it fail.
shell npm test -- login --repeat 20 && git status --short; git diff --stat | tail -1
: about Run the login test twenty times, then list what has changed
: output 19 passed, 1 failed: the session expired 3 ms too early
: exit 1
instead
> say You said: {reason}
> say Then I will read the test instead of running it.
> read test/login.test.ts
say The expiry is compared with a clock that was read twice. This reads it once.
wait BREATH
edit src/auth/session.ts
| @@ -12,9 +12,10 @@
|  export class SessionStore {
|    private readonly sessions = new Map<string, Session>();
|
| -  isValid(token: string): boolean {
| +  isValid(token: string, now: number = Date.now()): boolean {
|      const session = this.sessions.get(token);
| -    return session !== undefined && session.expires > Date.now();
| +    if (session === undefined) return false;
| +    return session.expires > now;
|    }
|
|    add(session: Session): void {
| @@ -41,8 +42,9 @@
|    /** Removes everything that has expired. */
|    sweep(): number {
|      let removed = 0;
| -    for (const [token] of this.sessions) {
| -      if (!this.isValid(token)) {
| +    const now = Date.now();
| +    for (const [token, session] of this.sessions) {
| +      if (session.expires <= now) {
|          this.sessions.delete(token);
|          removed += 1;
|        }
instead
> say You said: {reason}
> say I will leave the store alone and stop the clock in the test.
> wait BREATH
> edit test/login.test.ts
> | @@ -3,4 +3,6 @@
> |  describe('login', () => {
> | -  beforeEach(() => resetDatabase());
> | +  beforeEach(() => vi.useFakeTimers());
> | +  beforeEach(() => resetDatabase());
> | +  afterEach(() => vi.useRealTimers());
> |
> |    it('accepts a fresh token', async () => {
wait BREATH
shell git commit -am 'Read the clock once when a session is checked'
: about Commit the fix
say The login test is stable now.
"##,
    )
}

fn rate_limit() -> Job {
    Job::new(
        "Respect the payment provider's limits",
        r##"The payment provider answers 429 at night. How many calls a minute may we make?
---
say The limits should be in the provider's documentation.
fetch https://docs.example.com/payments/rate-limits
: output 120 requests a minute for each key.
instead
> say You said: {reason}
> say Then I will look for the limit in our own code.
> shell grep -rn 'rate.\?limit' src/payments
say It is 120 a minute. I will write that down where the client is made.
wait BREATH
edit src/payments/client.ts
| -const client = createClient({ key });
| +/** The provider allows 120 requests a minute for each key. */
| +const client = createClient({ key, perMinute: 110 });
say Done: we stay below the limit now.
"##,
    )
}

fn endless_build() -> Job {
    let prompt = r##"The type check fails since this morning. Make it pass again.
---
say I will run the type check.
loop npm run typecheck
: about Check the types
: output error TS2307: Cannot find module './generated/schema'
: exit 2
say The generated schema is missing; running the check again does not bring it back.
wait BREATH
shell npm run generate:schema -- --out src/generated
: about Generate the missing schema
say The type check passes.
"##;
    // Only the repetition itself is asked about.
    Job { allowed: &["npm run typecheck"], ..Job::new("Make the type check pass", prompt) }
}

fn database_driver() -> Job {
    Job::new(
        "Upgrade the database driver",
        r##"Upgrade the Postgres driver to version 9, and tell me what will break.
---
say I will let someone look through the release notes while I look at our own code.
agent Find breaking changes in pg 9
> Read the release notes of pg 9.0, and list what breaks in src/db.
> ---
> shell npm view pg versions --json | tail -5
> : about List the last versions of the driver
> : output ["8.14.0", "9.0.0"]
> say Version 9 drops callbacks, which we use in two places.
say Callbacks are gone in version 9. I will change both places once the driver is in.
wait BREATH
shell npm install pg@9 --save-exact
: about Install the new driver
: output changed 3 packages
instead
> say You said: {reason}
> say I will only write down what the upgrade needs.
wait BREATH
write docs/upgrade-pg-9.md
| # Upgrading to pg 9
|
| - `Pool.query` no longer takes a callback: `src/db/pool.ts`, `src/db/health.ts`.
| - The default `connectionTimeoutMillis` is now 10 seconds.
say The notes are in docs/upgrade-pg-9.md.
"##,
    )
}

fn test_database() -> Job {
    Job::new(
        "Speed up the integration tests",
        r##"The integration tests take nine minutes. Bring that down.
---
say Most of the time goes into starting the database for every file.
question Which database should the tests use?
: header Test database
: option One shared Postgres | Started once; each test file gets its own schema
: option SQLite in memory | Fastest, but three queries need another dialect
: option Leave it | Only run the files at the same time
say Good, I will do that.
wait BREATH
shell docker compose -f test/docker-compose.yml up -d postgres
: about Start one Postgres for all tests
say The tests take two minutes now.
"##,
    )
}

fn health_route() -> Job {
    Job::new(
        "Add a health route",
        r##"Add a health route that also checks the database.
---
agent Review the routes
> See how the other routes are written, and whether anything speaks against a health route.
> ---
> agent Check the middleware
> > Does every route need a token?
> > ---
> > shell grep -rn 'requireToken' src/middleware src/routes | sort | uniq -c
> > : about See which routes need a token
> > : output 14 src/routes/index.ts
> > say Every route but the ones listed in publicRoutes needs a token.
> say The health route has to be listed in publicRoutes.
wait BREATH
write src/routes/health.ts
| import { pool } from '../db/pool';
|
| export async function health(): Promise<Health> {
|   await pool.query('select 1');
|   return { ok: true };
| }
say The route is there: GET /health.
"##,
    )
}
