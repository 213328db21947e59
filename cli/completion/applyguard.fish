# Completion of applyguard for fish. The program itself says what fits: its own table has each flag.
#
#   applyguard completion fish | source

function __applyguard_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l program (string replace -r '^~' $HOME -- $words[1])
    set -e words[1]
    set -l lines ($program __complete $words "$current" 2> /dev/null)
    set -l directive $lines[-1]
    set -e lines[-1]
    # Of --flag=value fish completes the whole word.
    set -l flag (string match -r -- '^-[^=]*=' "$current")
    set -l value (string replace -r -- '^-[^=]*=' '' "$current")
    switch "$directive"
        case :0
            for path in (__fish_complete_path "$value")
                printf '%s\n' "$flag$path"
            end
        case :16
            for path in (__fish_complete_directories "$value" '')
                printf '%s\n' "$flag$path"
            end
        case '*'
            for line in $lines
                printf '%s\n' "$flag$line"
            end
    end
end

complete -c applyguard -f -a '(__applyguard_complete)'
