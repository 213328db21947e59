# The rooms, from the ground up: what each may include and link. The build goes by this table, and so does tests/rooms.
#
# A file belongs to the room whose name is the longest part of its path: policy/judge.c to policy/judge, and not to policy.
# A room may use the rooms and libraries of its row, and no room below its row.

room(base USES yyjson yaml)
room(system USES base)
room(manifest USES base yaml yyjson)
room(certs USES base openssl)
room(kubectl USES base system manifest yyjson)
room(kube USES base system certs kubectl curl openssl yyjson)
room(issuer USES base certs kube openssl yyjson yaml)

room(policy/fieldset USES base yyjson)
room(policy USES base policy/fieldset yyjson)
room(policy/config USES base policy/fieldset policy)
room(policy/review USES base manifest policy/fieldset policy yyjson)
room(policy/verdict USES base policy/fieldset policy policy/config policy/review yyjson)
room(policy/analysis USES base manifest policy/fieldset policy policy/config policy/review policy/verdict yyjson)
room(policy/rules USES base manifest policy/fieldset policy policy/config policy/review policy/verdict policy/analysis
  yyjson)
room(policy/judge USES base manifest policy/fieldset policy policy/config policy/review policy/verdict policy/analysis policy/rules
  yyjson)

room(apply/merge USES base manifest policy/fieldset yyjson)
room(apply USES base manifest policy/fieldset policy policy/config policy/review policy/analysis apply/merge yyjson)

room(audit USES base yyjson zlib zstd)

room(owners USES base manifest policy/fieldset policy policy/config policy/review policy/verdict policy/analysis apply/merge
  apply yyjson)

room(report USES base policy policy/review policy/verdict yyjson)

room(webhook/http USES base system h2o openssl threads)
room(webhook/tls USES base system certs openssl threads)
room(webhook/telemetry USES base system policy/fieldset policy policy/review policy/verdict yyjson threads)
room(webhook/api USES base system certs kube issuer policy/fieldset policy policy/review policy/verdict webhook/tls
  webhook/telemetry yyjson openssl threads)
room(webhook/review USES base system policy/fieldset policy policy/config policy/review policy/verdict policy/analysis
  policy/judge webhook/http webhook/telemetry webhook/api threads)
room(webhook/server USES base system certs kube issuer policy policy/config policy/verdict policy/analysis policy/judge
  webhook/http webhook/tls webhook/telemetry webhook/api webhook/review openssl threads)

# The commands. A command uses no other command: what two of them need is in a library above.
room(commands/check USES base system manifest policy/fieldset policy policy/config policy/review policy/verdict policy/analysis
  policy/judge apply/merge apply report yyjson threads)
room(commands/blame USES base manifest policy/fieldset policy policy/review policy/analysis audit owners report yyjson)
room(commands/explain USES base policy policy/config policy/review policy/verdict owners yyjson)
room(commands/preview USES base system manifest kubectl policy/fieldset policy policy/config policy/review policy/verdict policy/analysis
  policy/judge apply/merge apply owners yyjson)
room(commands/migrate USES base manifest policy/fieldset policy policy/config policy/review policy/verdict policy/analysis
  policy/judge apply/merge apply owners yyjson)
room(commands/policytest USES base manifest policy/fieldset policy policy/config policy/review policy/verdict policy/judge
  apply/merge apply report yyjson)
room(commands/replay USES base manifest policy/fieldset policy policy/config policy/review policy/verdict policy/analysis policy/judge
  audit report yyjson)
room(commands/scan USES base system manifest kubectl policy/fieldset policy policy/config policy/review policy/verdict policy/analysis
  policy/judge apply audit report yyjson zlib threads)

room(playground USES base manifest policy/fieldset policy policy/config policy/review policy/verdict policy/judge apply report
  commands/check commands/policytest yyjson)

room(cli/framework USES base)
room(cli USES base system manifest certs kubectl kube issuer policy policy/config policy/review policy/verdict policy/judge apply/merge
  apply audit owners report commands/check commands/blame commands/explain commands/preview commands/migrate
  commands/policytest commands/replay commands/scan cli/framework webhook/server openssl yaml)
