-- What wrk sends: the file named by the environment variable BODY, as the API server posts it.
local file = assert(io.open(os.getenv("BODY"), "rb"))
wrk.method = "POST"
wrk.path = "/validate?timeout=10s"
wrk.body = file:read("*a")
wrk.headers["Content-Type"] = "application/json"
file:close()

function done(summary, latency, requests)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status +
    summary.errors.timeout
  io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), failed))
end
