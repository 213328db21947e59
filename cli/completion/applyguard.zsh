#compdef applyguard
# Completion of applyguard for zsh. The program itself says what fits: its own table has each flag.
#
#   source <(applyguard completion zsh), or as a file _applyguard in a folder of $fpath

_applyguard() {
  local -a lines candidates
  local line directive
  lines=("${(@f)$("${words[1]/#\~/$HOME}" __complete "${(@Q)words[2,CURRENT]}" 2> /dev/null)}")
  directive=$lines[-1]
  lines[-1]=()
  [[ $words[CURRENT] != -*=* ]] || compset -P '*='
  case $directive in
    (:0) _files ;;
    (:16) _files -/ ;;
    (*)
      for line in $lines; do
        candidates+=("${${line%%$'\t'*}//:/\\:}${${(M)line%%$'\t'*}:+:${line#*$'\t'}}")
      done
      _describe applyguard candidates
      ;;
  esac
}

if [[ $funcstack[1] = _applyguard ]]; then
  _applyguard "$@"
else
  compdef _applyguard applyguard
fi
