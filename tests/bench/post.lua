-- What wrk sends: the files named by the environment variable BODIES, in turn, with the head that the API server sends.
wrk.method = "POST"
wrk.path = "/validate?timeout=10s"
wrk.headers["Host"] = "applyguard.applyguard.svc:443"
wrk.headers["User-Agent"] = "kube-apiserver-admission"
wrk.headers["Accept"] = "application/json, */*"
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Accept-Encoding"] = "gzip"

local bodies = {}
for name in string.gmatch(os.getenv("BODIES"), "[^:]+") do
  local file = assert(io.open(name, "rb"))
  bodies[#bodies + 1] = file:read("*a")
  file:close()
end
wrk.body = bodies[1]

-- With one body wrk makes the request once, by itself.
if #bodies > 1 then
  local requests, turn = {}, 0
  function request()
    turn = turn % #bodies + 1
    requests[turn] = requests[turn] or wrk.format(nil, nil, nil, bodies[turn])
    return requests[turn]
  end
end

function done(summary, latency, requests)
  local failed = summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status +
    summary.errors.timeout
  io.write(string.format("RESULT %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), failed))
end
